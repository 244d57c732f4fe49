'use strict';
// Starts the service like its command. On SIGUSR2, it collects its garbage and writes a line of JSON: its memory in MiB.
// (With --require, the command would load the unbundled files.)
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
  process.stdout.write(`${JSON.stringify({ heap: (heapUsed + external) / MIB, resident: rss / MIB })}\n`);
}

require(path.join(__dirname, '../../bin/posts-service.cjs'));
