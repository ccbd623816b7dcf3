// Lint: everything typed, plus the import directions of docs/architecture.md.
import { importX } from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** Which folder of src may import from which (its own is always allowed). Everyone may import src/errors.ts. */
const directions = {
  events: [],
  projections: ['events'],
  memory: [],
  fabric: ['memory'],
  emulators: ['fabric'],
  files: ['events', 'projections', 'emulators'],
  actors: ['events', 'projections', 'emulators', 'files'],
  session: ['events', 'projections', 'files'],
  replay: ['events', 'projections', 'files', 'session'],
  http: ['actors', 'projections'],
  client: [],
  cli: [
    'events',
    'projections',
    'actors',
    'emulators',
    'fabric',
    'files',
    'session',
    'replay',
    'http',
    'client',
    'main',
    'config',
  ],
};
const folders = Object.keys(directions);

const zones = folders.flatMap((target) =>
  [...folders.filter((from) => from !== target && !directions[target].includes(from)), 'main.ts', 'config.ts']
    .filter((from) => !directions[target].includes(from.replace('.ts', '')))
    .map((from) => ({
      target: `./src/${target}`,
      from: `./src/${from}`,
      message: `${target} may import only ${directions[target].join(', ') || 'nothing'} (docs/architecture.md)`,
    })),
);

/** Each heavy package has one importer, so that replacing it touches one folder. */
const owners = { level: 'events', xstate: 'actors', fastify: 'http' };
const owned = Object.entries(owners).map(([name, folder]) => ({
  files: ['src/**/*.ts'],
  ignores: [`src/${folder}/**`],
  rules: { 'no-restricted-imports': ['error', { paths: [{ name, message: `only src/${folder} imports ${name}` }] }] },
}));
// One rule can be configured once per file, so the single-owner lists are merged per folder.
const ownership = ['', ...folders].map((folder) => ({
  files: [folder === '' ? 'src/*.ts' : `src/${folder}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: owned.map((o) => o.rules['no-restricted-imports'][1].paths[0]).filter((p) => owners[p.name] !== folder),
      },
    ],
  },
}));

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'docs/', 'src/client/api.ts'] },
  ...tseslint.configs.strictTypeChecked.map((c) => ({ ...c, files: ['**/*.{ts,tsx}'] })),
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { 'import-x': importX },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    settings: { 'import-x/resolver': { node: { extensions: ['.ts', '.js'] } } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // A name with _ is there to be left out.
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
      'no-console': 'error',
      eqeqeq: ['error', 'smart'],
    },
  },
  ...ownership,
  {
    files: ['src/**/*.ts'],
    rules: { 'import-x/no-restricted-paths': ['error', { zones }], 'import-x/no-cycle': 'error' },
  },
  {
    files: ['web/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      // The page knows the server by its typed client only.
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['**/src/client/*', '**/../../../src/**'], message: "use 'topolog/client'" }] },
      ],
    },
  },
  { files: ['src/cli/**', 'src/main.ts', 'src/fabric/main.ts', 'test/**'], rules: { 'no-console': 'off' } },
  {
    files: ['test/**/*.ts', 'web/test/**/*.ts'],
    // node:test's describe/it return promises that the runner owns.
    rules: {
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', name: ['it', 'describe', 'test', 'suite'], package: 'node:test' },
          ],
        },
      ],
      '@typescript-eslint/require-await': 'off',
    },
  },
);
