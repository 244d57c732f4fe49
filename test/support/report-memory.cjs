'use strict';
// On SIGUSR2, a service that preloads this file collects its garbage and writes a line of JSON with the memory in MiB.
const timers = require('node:timers/promises');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const MIB = 1_048_576;

// As an option of Node, the flag would invalidate the code cache of the bundle.
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
