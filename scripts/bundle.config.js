import { defineConfig } from 'vite';

/** Bundles the compiler's output in dist/src/ and its packages into dist/service.cjs: one file loads in half the time. */
export default defineConfig({
  build: {
    ssr: 'dist/src/main.js',
    emptyOutDir: false,
    license: { fileName: 'licenses.txt' },
    rolldownOptions: {
      // Nest, TypeORM and its migrations identify classes by name.
      output: { entryFileNames: 'service.cjs', format: 'cjs', codeSplitting: false, keepNames: true },
    },
  },
  // External are native code, and files to serve. Packages are those that Node itself would load.
  ssr: { noExternal: true, external: ['sqlite3', 'swagger-ui-dist'], resolve: { mainFields: ['main'] } },
  plugins: [
    {
      // Nest's packages load some packages by a `require` that bundlers do not resolve, which would load them twice.
      name: 'one-of-each',
      transform: {
        filter: { id: /node_modules\/@nestjs\/(?:mapped-types|typeorm)\// },
        handler: (code) => code.replace('const require = createRequire(import.meta.url);', ''),
      },
    },
  ],
});
