import type { z } from 'zod';
import type { Api } from './api.ts';
import { linkCapture, nodeCapture } from './schemas/capture.ts';
import { anyObject } from './schemas/common.ts';
import { drawingCreate, drawingRecord, drawingUpdate } from './schemas/drawing.ts';
import { filterDescription, linkCreate, linkRecord, linkUpdate } from './schemas/link.ts';
import { nioRecord } from './schemas/nio.ts';
import { nodeRecord, nodeUpdate } from './schemas/node.ts';
import { computeProject, projectCreate, projectRecord, projectUpdate } from './schemas/project.ts';
import { recordingFile } from './schemas/recording.ts';
import { replayCreate, replayRecord } from './schemas/replay.ts';
import { computeRecord, fact } from './schemas/server.ts';
import { templateRecord, templateUpdate } from './schemas/template.ts';

const OURS: readonly [string, z.ZodType][] = Object.entries({
  AnyObject: anyObject,
  Project: projectRecord,
  ProjectCreate: projectCreate,
  ProjectUpdate: projectUpdate,
  ComputeProject: computeProject,
  Node: nodeRecord,
  NodeUpdate: nodeUpdate,
  Link: linkRecord,
  LinkCreate: linkCreate,
  LinkUpdate: linkUpdate,
  FilterDescription: filterDescription,
  Drawing: drawingRecord,
  DrawingCreate: drawingCreate,
  DrawingUpdate: drawingUpdate,
  Nio: nioRecord,
  NodeCapture: nodeCapture,
  LinkCapture: linkCapture,
  Recording: recordingFile,
  Replay: replayRecord,
  ReplayCreate: replayCreate,
  Compute: computeRecord,
  Template: templateRecord,
  TemplateUpdate: templateUpdate,
  Fact: fact,
});

/** Schemas that the document gives a name and refers to; all others stand where they are used. */
export const namedSchemas = ({ kinds }: Pick<Api, 'kinds'>): Map<z.ZodType, string> => {
  const names = new Map<z.ZodType, string>();
  const add = (name: string, schema: z.ZodType) => {
    if (!names.has(schema)) names.set(schema, name);
  };
  for (const [name, schema] of OURS) add(name, schema);
  for (const kind of kinds.all()) {
    const noun = kind.name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
    add(`${noun}Create`, kind.create);
    add(`${noun}Update`, kind.update);
    add(`${noun}Start`, kind.startBody);
    add(`${noun}Node`, kind.output);
  }
  return names;
};
