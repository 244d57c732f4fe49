/**
 * `node deploy/dry-run.js`: executes the Dockerfile without a container engine. Each stage is a folder. COPY obeys
 * .dockerignore; RUN uses this machine's Node. At the end, the service is started from the folder of the last stage,
 * its health check is run, and it is stopped.
 *
 * Not covered: the base image, steps with apt-get or chown, the container's user, and a read-only file system.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..');
const WORK = mkdtempSync(join(tmpdir(), 'posts-image-'));
const START_TIMEOUT_MS = 15_000;

const GLOBS = { '**/': '(?:.+/)?', '*': '[^/]*', '.': String.raw`\.` };

/** Stages by name; the last one is the image. */
const stages = new Map();
let image;

try {
  for (const [instruction, rest] of instructions()) step(instruction, rest);
  await runImage();
} finally {
  rmSync(WORK, { recursive: true, force: true });
}

function* instructions() {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ');
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, instruction, rest] = /^([A-Z]+) +(.*)$/.exec(line);
    yield [instruction, rest.replaceAll(/ +/g, ' ').trim()];
  }
}

function step(instruction, rest) {
  if (instruction === 'FROM') {
    const [, from, name = 'image'] = /^(\S+)(?: AS (\S+))?$/.exec(rest);
    image = { root: join(WORK, name), folder: '/', env: {}, ...(stages.has(from) && stages.get(from)) };
    stages.set(name, image);
    mkdirSync(image.root, { recursive: true });
  } else if (instruction === 'WORKDIR') {
    image.folder = rest;
    mkdirSync(inImage(rest), { recursive: true });
  } else if (instruction === 'ENV') {
    for (const pair of rest.split(' ')) image.env[pair.replace(/=.*/, '')] = pair.replace(/^[^=]*=/, '');
  } else if (instruction === 'COPY') {
    copy(rest);
  } else if (instruction === 'RUN') {
    execute(rest);
  } else if (instruction === 'ENTRYPOINT') {
    image.entrypoint = JSON.parse(rest);
  } else if (instruction === 'HEALTHCHECK') {
    image.healthCheck = JSON.parse(rest.replace(/^.*CMD /, ''));
  }
}

function copy(rest) {
  const [, stage, paths] = /^(?:--from=(\S+) )?(.*)$/.exec(rest);
  const sources = paths.split(' ');
  const target = sources.pop();
  for (const source of sources) {
    const from = stage ? join(stages.get(stage).root, source) : join(ROOT, source);
    const isFolder = target.endsWith('/') || sources.length > 1;
    const to =
      source === '.' ? inImage(target) : isFolder ? join(inImage(target), basename(source)) : inImage(target);
    cpSync(from, to, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => stage !== undefined || path === ROOT || isInContext(path.slice(ROOT.length + 1)),
    });
  }
}

/** Whether .dockerignore includes a path. The last rule that matches the path, or a folder above it, decides. */
function isInContext(path) {
  let isIgnored = false;
  for (const line of readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const pattern = line.replace(/^!/, '').replace(/\/$/, '');
    const source = pattern.replaceAll(/\*\*\/|\*|\./g, (part) => GLOBS[part]);
    if (new RegExp(`^${source}(?:/|$)`).test(path)) isIgnored = !line.startsWith('!');
  }
  return !isIgnored;
}

function execute(command) {
  if (/apt-get|chown/.test(command)) return console.log(`skipped: ${command}`);
  console.log(`> ${command}`);
  const { status } = spawnSync('sh', ['-ec', command], {
    cwd: inImage('.'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`It failed: ${command}`);
  return undefined;
}

async function runImage() {
  const app = inImage('.');
  for (const name of readdirSync(app)) console.log(`${megabytes(join(app, name)).padStart(8)}  ${name}`);
  console.log(`${megabytes(app).padStart(8)}  in total, without the base image`);

  const env = { PATH: process.env.PATH, ...image.env, PORT: '0' };
  env.DATABASE_URL = env.DATABASE_URL.replace('/data', inImage('/data'));
  const [command, ...args] = image.entrypoint;
  const service = spawn(command, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  service.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  let port;
  while (port === undefined && service.exitCode === null && Date.now() < deadline) {
    await sleep(50);
    port = /listens on [^"]*:(\d+)/.exec(output)?.[1];
  }
  if (port === undefined) throw new Error(`The service did not start:\n${output}`);
  const [health, ...healthArgs] = image.healthCheck;
  const { status } = spawnSync(health, healthArgs, {
    cwd: app,
    env: { ...env, PORT: port },
    stdio: 'inherit',
  });
  service.kill('SIGTERM');
  const [code] = await once(service, 'exit');
  console.log(`health check: ${status}; after SIGTERM: ${code}`);
  if (status !== 0 || code !== 0) throw new Error('The service was not healthy, or did not stop.');
}

function inImage(path) {
  return path.startsWith('/') ? join(image.root, path) : join(image.root, image.folder, path);
}

function megabytes(path) {
  const { stdout } = spawnSync('du', ['-s', '--block-size=100K', path], { encoding: 'utf8' });
  return `${Number.parseInt(stdout, 10) / 10} MB`;
}
