import common from './jest.config.js';

const [{ displayName: _name, testRegex: _regex, ...unit }] = common.projects;

/** The tests of pages, in a real browser: `npm run test:browser`. */
/** @type {import('jest').Config} */
export default {
  ...unit,
  roots: ['<rootDir>/test'],
  testRegex: ['\\.browser\\.e2e\\.ts$'],
  globals: { TEST_DATABASE: 'sqlite' },
  testTimeout: common.testTimeout,
  // A browser takes more than one core by itself.
  maxWorkers: 1,
};
