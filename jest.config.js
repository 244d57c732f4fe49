/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testRegex: ['\\.spec\\.ts$', '\\.e2e\\.ts$'],
  testPathIgnorePatterns: ['<rootDir>/src/admin/ui/'],
  extensionsToTreatAsEsm: ['.ts'],
  // TypeScript writes imports with the name of the file they become: `./post.entity.js`.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  // Transpiles only; types are checked by `npm run check`.
  transform: { '\\.ts$': ['ts-jest', { useESM: true }] },
  testTimeout: 20_000,
};
