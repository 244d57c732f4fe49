// Runs the service and, on exit, writes V8's code cache.
'use strict';

const { writeFileSync } = require('node:fs');
const { CODE_CACHE, compile, run } = require('../bin/bundle.cjs');

const script = compile();
process.on('exit', () => writeFileSync(CODE_CACHE, script.createCachedData()));
run(script);
