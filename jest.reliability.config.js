import common from './jest.config.js';

const [{ displayName: _name, testRegex: _regex, ...unit }] = common.projects;

/** The tests that take minutes: `npm run test:reliability`. */
/** @type {import('jest').Config} */
export default {
  ...unit,
  roots: ['<rootDir>/test/reliability'],
  testRegex: ['\\.reliability\\.ts$'],
  maxWorkers: 1,
};
