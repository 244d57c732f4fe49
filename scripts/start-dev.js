// `npm run start:dev`: compiles and starts the service, and repeats both on every change. `npm run start:debug` does so with
// an inspector for a debugger.
import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

// The bundle that `npm start` runs would be older than the compiled modules.
rmSync('dist/service.cjs', { force: true });

const compile = ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json'];
const isOfNode = (/** @type {string} */ argument) => argument.startsWith('--inspect');
const options = process.argv.slice(2);
const service = [
  '--enable-source-maps',
  ...options.filter(isOfNode),
  '--watch',
  'dist/src/main.js',
  ...options.filter((each) => !isOfNode(each)),
];
spawnSync(process.execPath, compile, { stdio: 'inherit' });
const children = [[...compile, '--watch', '--preserveWatchOutput'], service].map((args) =>
  spawn(process.execPath, args, { stdio: 'inherit' }),
);
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.on(signal, () => children.forEach((child) => child.kill(signal)));
