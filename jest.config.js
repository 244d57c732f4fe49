import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  // TypeScript imports name the output file: `./post.entity.js`.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '\\.ts$': '<rootDir>/test/support/transpile.js' },
};

const root = import.meta.dirname.replaceAll(/[^\w/]/g, String.raw`\$&`);
/** Packages that Node loads once per process for all test files. */
const packages = `^${root}/node_modules/(?:@nestjs|ajv|ajv-formats|class-transformer|class-validator|express|fast-check|pg|pino|prom-client|reflect-metadata|rxjs|sqlite3|typeorm)/`;
/**
 * The parts of this project that Node loads once for all e2e files: the built service, which is updated first, and the
 * OpenAPI validation.
 */
const built = `^${root}/(?:src/|test/support/openapi\\.js$)`;
const takenFromNode = '<rootDir>/test/support/native-modules.js';

/** CONTRIBUTING.md says which ending of a file runs where, and why. */
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

const postgres = {
  ...e2e,
  displayName: 'postgres',
  testRegex: ['/[^./]+(\\.postgres)?\\.e2e\\.ts$'],
  globals: { TEST_DATABASE: 'postgres' },
  globalSetup: '<rootDir>/test/support/postgres-setup.js',
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
  postgres,
];

/** Projects that run only when their npm script selects them. */
const onDemand = [
  {
    ...sqlite,
    displayName: 'browser',
    testRegex: ['\\.browser\\.e2e\\.ts$'],
    globalSetup: '<rootDir>/test/support/browser-setup.js',
  },
  {
    ...sqlite,
    displayName: 'load',
    testRegex: ['/[^./]+(\\.(sqlite|http))?\\.load\\.ts$'],
  },
  {
    ...postgres,
    displayName: 'load-postgres',
    testRegex: ['/[^./]+(\\.postgres)?\\.load\\.ts$'],
  },
  {
    ...sqlite,
    displayName: 'processes',
    testRegex: ['\\.process\\.ts$'],
    globalSetup: '<rootDir>/test/support/postgres-setup.js',
  },
  {
    ...sqlite,
    displayName: 'reliability',
    testRegex: ['/[^./]+\\.reliability\\.ts$'],
  },
  {
    // Needs Debian's patroni, python3-etcd, etcd-server, haproxy and pgbackrest, and Litestream. CI does not run it: it takes
    // minutes.
    ...sqlite,
    displayName: 'failover',
    testRegex: ['\\.failover\\.ts$'],
  },
  {
    ...sqlite,
    displayName: 'timed',
    testRegex: ['\\.timed\\.reliability\\.ts$'],
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
  // Generous: a test waits this long only when something is broken, even on a machine that is ten times as busy.
  testTimeout: 300_000,
  // A worker waits for servers and clocks a quarter of the time.
  maxWorkers: Math.max(4, availableParallelism() - 1),
  // Always use worker processes, so that modules loaded by Node do not survive between runs of `npm test -- --watch`. A
  // worker that has grown beyond this limit is replaced, because stopping it would take longer than jest waits.
  workerIdleMemoryLimit: '600MB',
  projects: [...projects, ...named],
};
