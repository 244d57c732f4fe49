// `npm run start:dev`: compiles and starts the service, and repeats both on every change.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import ts from 'typescript';
import { START_OPTIONS } from '../bin/bundle.cjs';

// The bundle that `npm start` runs would be older than the compiled modules.
rmSync('dist/service.cjs', { force: true });

/** @type {import('node:child_process').ChildProcess | undefined} */
let service;
let restarted = Promise.resolve();

async function stop() {
  if (service === undefined || service.exitCode !== null || service.signalCode !== null) return;
  const exited = once(service, 'exit');
  service.kill('SIGTERM');
  await exited;
}

async function restart() {
  await stop();
  const options = [...START_OPTIONS, '--enable-source-maps'];
  const script = ['dist/src/main.js', ...process.argv.slice(2)];
  service = spawn(process.execPath, [...options, ...script], { stdio: 'inherit' });
}

const createProgram = ts.createEmitAndSemanticDiagnosticsBuilderProgram;
const host = ts.createWatchCompilerHost('tsconfig.build.json', {}, ts.sys, createProgram);
const emit = host.afterProgramCreate?.bind(host);
host.afterProgramCreate = (program) => {
  emit?.(program);
  restarted = restarted.then(restart);
};
ts.createWatchProgram(host);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => void restarted.then(stop).then(() => process.exit()));
}
