/** @type {import('jest').Config} */
const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  // TypeScript writes imports with the name of the file they become: `./post.entity.js`.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  // Transpiles only; types are checked by `npm run check`.
  transform: { '\\.ts$': ['ts-jest', { useESM: true }] },
};

/** The same e2e files on each database. Those about one database alone are named for it: `replicas.postgres.e2e.ts`. */
const e2e = { ...common, roots: ['<rootDir>/test'] };

/** @type {import('jest').Config} */
export default {
  testTimeout: 60_000,
  // The tests wait for servers and clocks more than they compute; by default one core of two would idle.
  maxWorkers: 2,
  projects: [
    {
      ...common,
      displayName: 'unit',
      roots: ['<rootDir>/src'],
      testRegex: ['\\.spec\\.ts$'],
    },
    {
      ...e2e,
      displayName: 'sqlite',
      testRegex: ['/[^./]+(\\.sqlite)?\\.e2e\\.ts$'],
      globals: { TEST_DATABASE: 'sqlite' },
    },
    {
      ...e2e,
      displayName: 'postgres',
      testRegex: ['/[^./]+(\\.postgres)?\\.e2e\\.ts$'],
      globals: { TEST_DATABASE: 'postgres' },
      globalSetup: '<rootDir>/test/support/global-setup.js',
      globalTeardown: '<rootDir>/test/support/global-teardown.js',
    },
  ],
};
