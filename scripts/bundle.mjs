// Bundles programs (sources that begin with #!) with the packages that they use, when one of them is newer: those of src to dist/bin,
// those of the tests to dist/test-bin. A server that reads a few files starts with two thirds of the processor.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { licences } from './licences.mjs';
import { isOlder } from './older.mjs';

const root = path.resolve(import.meta.dirname, '..');
/**
 * Packages that are installed beside: they load a library that was compiled for this system, or are loaded only by those who use them, or the
 * client of programs imports them. Everything else is bundled, so it is a devDependency.
 */
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const OUTSIDE = Object.keys({ ...dependencies, ...optionalDependencies });

const programsIn = (folder) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts') && readFileSync(path.join(root, folder, name), 'latin1').startsWith('#!'));

/** The commit that is compiled, in a clone: `0a7b2239`, `0a7b2239-dirty` with changes. */
const commitOf = () => {
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(root) };
  const describe = ['describe', '--always', '--dirty', '--abbrev=8', '--exclude=*'];
  try {
    return execFileSync('git', describe, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return null;
  }
};

const commit = {
  name: 'commit',
  generateBundle() {
    const source = commitOf();
    if (source !== null) this.emitFile({ type: 'asset', fileName: 'commit', source });
  },
};

const bundle = async (folder, outDir) => {
  const { build } = await import('vite');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [licences(), commit],
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
const always = ['src', 'package.json', 'scripts/bundle.mjs', 'scripts/licences.mjs', 'node_modules/.package-lock.json'];
if (isOlder('dist/bin/cli/topolog.js', ...always)) await bundle('src', 'dist/bin');
if (isOlder('dist/test-bin/serve-with-echo.js', ...always, 'test/support'))
  await bundle('test/support', 'dist/test-bin');
