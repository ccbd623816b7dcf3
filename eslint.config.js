// Lint: everything typed, plus the import directions of docs/explanation/architecture.md.
import { importX } from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { HOUSE } from './scripts/house.mjs';

const rooms = HOUSE.map(({ room }) => room);

/** A room imports what scripts/house.mjs says, itself and `common`; of `fabric/client` in the list only that folder of `fabric`. */
const zones = HOUSE.flatMap(({ room, imports }) =>
  [...rooms, 'main.ts']
    .filter((from) => from !== room && from !== 'common' && !imports.includes(from))
    .map((from) => ({
      target: `./src/${room}`,
      from: `./src/${from}`,
      except: imports.filter((name) => name.startsWith(`${from}/`)).map((name) => `./${name.slice(from.length + 1)}`),
      message: `${room} may import only ${imports.join(', ') || 'nothing'} (scripts/house.mjs)`,
    })),
);

/** Each heavy package has one importer, so that replacing it touches one room. */
const owned = HOUSE.flatMap(({ room, owns = [] }) => owns.map((name) => ({ name, room })));
// One rule can be configured once per file, so the single-owner lists are merged per folder.
const ownership = ['', ...rooms].map((folder) => ({
  files: [folder === '' ? 'src/*.ts' : `src/${folder}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: owned
          .filter(({ room }) => room !== folder)
          .map(({ name, room }) => ({ name, message: `only src/${room} imports ${name}` })),
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
  { files: ['src/cli/**', 'src/main.ts', 'src/fabric/process/main.ts', 'test/**'], rules: { 'no-console': 'off' } },
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
