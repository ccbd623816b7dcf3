// Bundles the programs of src (those that begin with #!) to dist/bin, when a source is newer: a server that reads a few files starts
// sooner than one that reads hundreds. Packages stay outside, so that npm can update them.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isOlder } from './older.mjs';

const root = path.resolve(import.meta.dirname, '..');
const outDir = 'dist/bin';

const bundle = async () => {
  const { build } = await import('vite');
  const programs = readdirSync(path.join(root, 'src'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts') && readFileSync(path.join(root, 'src', name), 'latin1').startsWith('#!'));
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      emptyOutDir: true,
      minify: false,
      rollupOptions: {
        input: Object.fromEntries(programs.map((name) => [name.slice(0, -'.ts'.length), path.join(root, 'src', name)])),
        output: { entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js' },
      },
    },
  });
};

if (isOlder(`${outDir}/cli/topolog.js`, 'src', 'scripts/bundle.mjs')) await bundle();
