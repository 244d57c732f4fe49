import common from './jest.config.js';

const [, { displayName: _name, testRegex: _regex, ...sqlite }] = common.projects;

/** The tests that take minutes, or measure: `npm run test:reliability`. */
/** @type {import('jest').Config} */
export default {
  ...sqlite,
  roots: ['<rootDir>/test/reliability'],
  testRegex: ['\\.reliability\\.ts$'],
  testTimeout: common.testTimeout,
  maxWorkers: 1,
};
