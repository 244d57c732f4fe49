'use strict';
// Starts the service like its command. On SIGUSR2, it also runs a garbage collection and prints the remaining memory in
// MiB as a line of JSON: {"memory":{"heap":H,"resident":R}}.
const path = require('node:path');
const timers = require('node:timers/promises');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const MIB = 1_048_576;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

process.on('SIGUSR2', () => void report());

async function report() {
  // Finalizers free memory only at the next collection, and Buffers are counted when they are swept, a while later.
  for (let time = 0; time < 3; time += 1) {
    collectGarbage();
    await timers.setTimeout(50);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const memory = { heap: (heapUsed + external) / MIB, resident: rss / MIB };
  process.stdout.write(JSON.stringify({ memory }) + '\n');
}

require(path.join(__dirname, '../../bin/posts-service.cjs'));
