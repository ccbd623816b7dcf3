// Writes docs/reference/generated/lab.schema.json, the JSON Schema of a lab's text (npm run docs:lab). A test compares.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createKinds } from '../dist/src/emulators/registry.js';
import { filtersSchema } from '../dist/src/fabric/filters/parse.js';
import { labSchema } from '../dist/src/files/lab/yaml/schema.js';

const file = path.resolve(import.meta.dirname, '../docs/reference/generated/lab.schema.json');
writeFileSync(file, `${JSON.stringify(labSchema(createKinds().all(), filtersSchema()), null, 2)}\n`);
