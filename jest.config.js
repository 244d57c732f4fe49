import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  // TypeScript writes imports with the name of the file they become: `./post.entity.js`.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '\\.ts$': '<rootDir>/test/support/transpile.js' },
};

const root = import.meta.dirname.replaceAll(/[^\w/]/g, String.raw`\$&`);
/** Packages that Node loads once for all test files of a process. */
const packages = `^${root}/node_modules/(?:@nestjs|ajv|ajv-formats|class-transformer|class-validator|express|fast-check|pg|pino|prom-client|reflect-metadata|rxjs|sqlite3|typeorm|yaml)/`;
/**
 * What of this project Node loads once for all e2e files: the built service, which is brought up to date first, and the
 * service's own description. (Not ormconfig.ts, whose data source is of the database that the environment names.)
 */
const built = `^${root}/(?:src/|test/support/openapi\\.js$)`;
const takenFromNode = '<rootDir>/test/support/native-modules.js';

/**
 * Most e2e files run on each database. A file about one database has its name (`replicas.postgres.e2e.ts`). A file about
 * HTTP, which cannot differ between the databases, runs on SQLite only (`routing.http.e2e.ts`).
 */
const e2e = {
  ...common,
  roots: ['<rootDir>/test'],
  testEnvironment: '<rootDir>/test/support/native-environment.js',
  transform: { [packages]: takenFromNode, [built]: takenFromNode, ...common.transform },
  transformIgnorePatterns: [],
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
};

const sqlite = {
  ...e2e,
  displayName: 'sqlite',
  testRegex: ['/[^./]+(\\.(sqlite|http))?\\.e2e\\.ts$'],
  globals: { TEST_DATABASE: 'sqlite' },
};

const projects = [
  {
    ...common,
    displayName: 'unit',
    roots: ['<rootDir>/src'],
    testRegex: ['\\.spec\\.ts$'],
    testEnvironment: e2e.testEnvironment,
    transform: { [packages]: takenFromNode, ...common.transform },
    transformIgnorePatterns: [],
  },
  sqlite,
  {
    ...e2e,
    displayName: 'postgres',
    testRegex: ['/[^./]+(\\.postgres)?\\.e2e\\.ts$'],
    globals: { TEST_DATABASE: 'postgres' },
    globalSetup: '<rootDir>/test/support/postgres-setup.js',
  },
];

/** Projects that run only when they are named, by their npm scripts: they take minutes, or measure. */
const onDemand = [
  {
    ...common,
    displayName: 'browser',
    roots: ['<rootDir>/test'],
    testRegex: ['\\.browser\\.e2e\\.ts$'],
    globals: sqlite.globals,
    globalSetup: e2e.globalSetup,
    globalTeardown: e2e.globalTeardown,
  },
  {
    ...sqlite,
    displayName: 'reliability',
    roots: ['<rootDir>/test/reliability'],
    testRegex: ['\\.reliability\\.ts$'],
  },
  {
    ...common,
    displayName: 'consumers',
    roots: ['<rootDir>/consumers'],
    testRegex: ['\\.consumer\\.ts$'],
  },
];
const named = onDemand.filter(({ displayName }) => process.argv.includes(`--selectProjects=${displayName}`));

/** @type {import('jest').Config} */
export default {
  testTimeout: 60_000,
  // A worker waits for servers and clocks a fifth of the time.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  // In processes of their own always, so that what Node has loaded is not kept from run to run of `npm test -- --watch`.
  // One that has grown larger than this is begun anew: to end it takes longer than jest waits.
  workerIdleMemoryLimit: '600MB',
  projects: named.length > 0 ? named : projects,
};
