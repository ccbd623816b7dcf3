// Writes docs/reference/machines/*.md from the compiled machines (npm run docs:machines).
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { captureMachine, nodeMachine, projectMachine } from '../dist/src/projections/states.js';
import { checkMachine } from '../dist/src/actors/check/loop.js';
import { weatherMachine } from '../dist/src/actors/weather/runs.js';
import { serverMachine } from '../dist/src/cluster/server-machine.js';
import { machinePages } from './machine-chart.mjs';

const folder = path.resolve(import.meta.dirname, '../docs/reference/machines');
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(
  machinePages({ nodeMachine, projectMachine, captureMachine, serverMachine, checkMachine, weatherMachine }),
))
  writeFileSync(path.join(folder, name), text);
