import common from '../jest.config.js';

const [{ displayName: _name, testPathIgnorePatterns: _ignored, ...unit }] = common.projects;

/** @type {import('jest').Config} */
export default {
  ...unit,
  rootDir: '..',
  roots: ['<rootDir>/consumers'],
  testRegex: ['\\.consumer\\.ts$'],
  testTimeout: 60_000,
  // The files share the service that one of them starts, no more.
  maxWorkers: 2,
};
