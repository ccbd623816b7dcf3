#!/usr/bin/env node
import { parentPort, workerData } from 'node:worker_threads';
import { TopologError } from '../../common/errors.ts';
import type { LabAnswer, LabTask } from './lab-texts.ts';
import { LAB_FORMATS, LAB_WRITERS } from './formats.ts';
import type { Lab } from './model.ts';
import { writePlaces } from './problems.ts';
import { type Difference, renamedInText, updateLabText } from './yaml/edit.ts';

/** Program of the worker thread of lab-texts.ts: performs one task with a large lab text, and ends. */

/** JSON has no infinite numbers: they would become null. */
const checked = (_: string, value: unknown): unknown => {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TopologError('invalid_request', UNFIT);
  return value;
};
const UNFIT = { field: 'text', reason: 'the text has a number without an end, or one that is none' };

const runTask = (task: LabTask): LabAnswer => {
  switch (task.do) {
    case 'read': {
      const { lab, notes, placeOf } = LAB_FORMATS[task.format].read(task.input);
      return { lab: JSON.stringify(lab, checked), notes, places: writePlaces(lab, placeOf) };
    }
    case 'write':
      return LAB_WRITERS[task.format](JSON.parse(task.lab) as Lab);
    case 'rename':
      return { text: renamedInText(task.text, task.names) };
    case 'update': {
      const { differences } = JSON.parse(task.differences) as { differences: Difference[] };
      return { text: updateLabText(task.text, differences) };
    }
  }
};

const answer = (): LabAnswer => {
  try {
    return runTask(workerData as LabTask);
  } catch (error) {
    if (!(error instanceof TopologError)) throw error;
    const { code, message, details } = error;
    return { code, message, details: { ...details } };
  }
};
parentPort?.postMessage(answer());
