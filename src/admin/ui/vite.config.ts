import { defineConfig } from 'vite';
import { precompressed } from './precompressed.js';

/** `npm run build` makes the administration site's files; `npm run start:admin-ui` serves them while one works on them. */
export default defineConfig({
  root: import.meta.dirname,
  // The service may stand under any prefix: the page says where it is with <base href>, all else follows from there.
  base: './',
  build: {
    outDir: '../../../dist/admin-ui',
    emptyOutDir: true,
    target: 'es2022',
    // What a strict Content-Security-Policy forbids: nothing may be put into the page itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
    // Of the "use client" in packages, which means something to servers that render React.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  plugins: [precompressed()],
  server: {
    proxy: { '^/(?:posts|problems)/|^/admin/api/': 'http://127.0.0.1:3000' },
  },
});
