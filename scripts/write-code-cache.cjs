// Runs the service, and writes what V8 has compiled of it by its end.
'use strict';

const { writeFileSync } = require('node:fs');
const { CODE_CACHE, compile, run } = require('../bin/bundle.cjs');

const script = compile();
process.on('exit', () => writeFileSync(CODE_CACHE, script.createCachedData()));
run(script);
