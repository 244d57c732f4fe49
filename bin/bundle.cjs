// Loads the service from one file, together with the V8 code cache that the build wrote. Loading the 1,200 source files
// one by one takes longer than the rest of the start.
'use strict';

const { readFileSync, statSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');
const { scripts } = require('../package.json');

const FILE = path.join(__dirname, '../dist/service.cjs');
/**
 * The code cache is valid only for the Node version and options that made it; otherwise V8 rejects it and compiles. V8
 * checks only the length of the source, so a cache older than the bundle is ignored.
 */
const CODE_CACHE = path.join(__dirname, '../dist/service.cache');

/** The places of the bundle's lines in the source, for stacks in the log. */
const SOURCE_LINES = path.join(__dirname, '../dist/service.lines.json');

/** The V8 options of `npm start`. */
const START_OPTIONS = scripts.start.split(' ').filter((word) => word.startsWith('--'));

/** @returns {import('node:vm').Script} */
function compile() {
  // A command runs without these options. V8 would reject the code cache and compile for longer than most commands take.
  for (const option of START_OPTIONS) setFlagsFromString(option);
  // The file is ASCII. V8 stores one-byte strings without conversion.
  const source = Module.wrap(readFileSync(FILE, 'latin1'));
  return new Script(source, { filename: FILE, cachedData: readCodeCache() });
}

/** @param {import('node:vm').Script} script */
function run(script) {
  const exports = {};
  script
    .runInThisContext()
    .call(exports, exports, Module.createRequire(FILE), { exports }, FILE, path.dirname(FILE));
}

function readCodeCache() {
  try {
    return statSync(CODE_CACHE).mtimeMs < statSync(FILE).mtimeMs ? undefined : readFileSync(CODE_CACHE);
  } catch {
    return undefined;
  }
}

module.exports = { FILE, CODE_CACHE, SOURCE_LINES, START_OPTIONS, compile, run, start: () => run(compile()) };
