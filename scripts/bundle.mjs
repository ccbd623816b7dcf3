// Bundles programs (sources that begin with #!) with the packages that they use, when one of them is newer: those of src to dist/bin,
// those of the tests to dist/test-bin. A server that reads a few files starts with two thirds of the processor.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isOlder } from './older.mjs';

const root = path.resolve(import.meta.dirname, '..');
/** They load a library that was compiled for this system, or are loaded only by those who use them; packages that package.json names. */
const OUTSIDE = ['level', 'koffi', 'pg'];

const programsIn = (folder) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts') && readFileSync(path.join(root, folder, name), 'latin1').startsWith('#!'));

const bundle = async (folder, outDir) => {
  const { build } = await import('vite');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: OUTSIDE },
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      emptyOutDir: true,
      minify: false,
      rollupOptions: {
        input: Object.fromEntries(
          programsIn(folder).map((name) => [name.slice(0, -'.ts'.length), path.join(root, folder, name)]),
        ),
        output: { entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js' },
      },
    },
  });
};

// npm writes the list of what is installed.
const always = ['src', 'scripts/bundle.mjs', 'node_modules/.package-lock.json'];
if (isOlder('dist/bin/cli/topolog.js', ...always)) await bundle('src', 'dist/bin');
if (isOlder('dist/test-bin/serve-with-echo.js', ...always, 'test/support'))
  await bundle('test/support', 'dist/test-bin');
