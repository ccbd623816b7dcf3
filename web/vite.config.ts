import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { licences } from '../scripts/licences.mjs';

const root = import.meta.dirname;

/** Built into the package: index.html, and assets whose names change with what is in them. */
export default defineConfig({
  root,
  plugins: [react(), licences()],
  resolve: { alias: { 'topolog/client': path.join(root, '../src/client/index.ts') } },
  // npm run dev: the page as it is written, over a server that runs.
  server: { proxy: { '/v2': { target: process.env['TOPOLOG_URL'] ?? 'http://127.0.0.1:3080', ws: true } } },
  build: {
    outDir: path.join(root, '../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // An inlined asset would be a data: URL, which scripts and fonts may not have.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
});
