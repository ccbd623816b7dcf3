// Lint: everything typed, the import directions of docs/explanation/architecture.md, and the size of files and functions.
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { house } from './scripts/house-rule.mjs';

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'docs/', 'src/client/api.ts'] },
  ...tseslint.configs.strictTypeChecked.map((c) => ({ ...c, files: ['**/*.{ts,tsx}'] })),
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
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
  {
    files: ['src/**/*.ts'],
    plugins: { house },
    rules: { 'house/imports': 'error' },
  },
  {
    files: ['src/**/*.ts', 'web/src/**/*.{ts,tsx}'],
    // All lines count.
    rules: { 'max-lines': ['error', 300], 'max-lines-per-function': ['error', 60], 'max-params': ['error', 4] },
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
