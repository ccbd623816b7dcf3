// Writes src/client/api.ts (npm run docs:client).
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { clientTypes } from './client-types.mjs';

const root = path.resolve(import.meta.dirname, '..');
// Its type errors do not matter: it compiles in any case, and the types are what this script generates.
spawnSync(process.execPath, ['node_modules/@typescript/native/bin/tsc', '-p', 'tsconfig.json'], { cwd: root });
const { fakeLab, serve } = await import(pathToFileURL(path.join(root, 'dist/test/http/fake-lab.js')).href);
const app = serve(fakeLab());
const types = await clientTypes((await app.inject('/v2/openapi.json')).json());
await app.close();
writeFileSync(path.join(root, 'src/client/api.ts'), types);
