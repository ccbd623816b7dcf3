import { z } from 'zod';
import type { Api } from './api.ts';
import { projectFile, snapshotCreate, snapshotRecord } from './schemas/archive.ts';
import { batchBody, batchResult } from './schemas/batch.ts';
import { captureResult, linkCapture, nodeCapture } from './schemas/capture.ts';
import { loginState } from './schemas/login.ts';
import { anyObject, errorReply, label, labelRecord, omit } from './schemas/common.ts';
import { computeStatistics, image, networkInterface, portsInUse, statistics } from './schemas/compute.ts';
import { drawingCreate, drawingRecord, drawingUpdate } from './schemas/drawing.ts';
import { computeFrame, feedFrame } from './schemas/frame.ts';
import { filterDescription, filters, linkCreate, linkRecord, linkUpdate } from './schemas/link.ts';
import { nioRecord } from './schemas/nio.ts';
import { nodeCreate, nodeRecord, nodeUpdate, portRecord } from './schemas/node.ts';
import { computeProject, projectCreate, projectRecord, projectStats, projectUpdate } from './schemas/project.ts';
import { packetMessage } from './schemas/packet.ts';
import { recordingFile } from './schemas/recording.ts';
import { replayCreate, replayRecord } from './schemas/replay.ts';
import {
  capabilities,
  computeRecord,
  eventsPage,
  fact,
  health,
  historyPage,
  objectDiff,
  versionRecord,
} from './schemas/server.ts';
import { storeVerdict } from './schemas/session.ts';
import { templateCreate, templateRecord, templateUpdate } from './schemas/template.ts';

export type Json = Record<string, unknown>;
type Io = 'input' | 'output';

/** Schemas of zod as those of the document. */
export interface Schemas {
  /** A reference where the schema has a name, and an entry in the document for it; otherwise the schema itself. */
  refer(schema: z.ZodType, io: Io): Json;
  /** The schema itself; what has a name in it is referred to. */
  whole(schema: z.ZodType, io: Io): Json;
  /** Those that have been referred to. */
  named(): Json;
}

export const createSchemas = (api: Pick<Api, 'kinds' | 'kindNames'>): Schemas => {
  const metadata = new Names(namedSchemas(api));
  const named: Record<string, Json> = {};
  const refer = (schema: z.ZodType, io: Io): Json => {
    const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', metadata });
    const { $defs = {}, ...rest } = relocated(omit({ ...made }, ['$schema'])) as { $defs?: Record<string, Json> };
    for (const [name, definition] of Object.entries($defs)) named[name] ??= definition;
    return rest;
  };
  return {
    refer,
    whole(schema, io) {
      const made = refer(schema, io);
      const name = metadata.nameOf(schema);
      return name === undefined ? made : (named[name] ?? made);
    },
    named: () => named,
  };
};

/** What schemas say of themselves, and the names that the document gives them. */
class Names extends z.core.$ZodRegistry<Json> {
  readonly #names: ReadonlyMap<z.core.$ZodType, string>;
  constructor(names: ReadonlyMap<z.core.$ZodType, string>) {
    super();
    this.#names = names;
  }
  nameOf(schema: z.ZodType): string | undefined {
    return this.#names.get(schema);
  }
  override get(schema: z.core.$ZodType): never {
    const id = this.#names.get(schema);
    return { ...z.globalRegistry.get(schema), ...(id === undefined ? {} : { id }) } as never;
  }
}

/** References of a JSON Schema's own definitions are those of the document. */
const relocated = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;

const OURS: readonly [string, z.ZodType][] = Object.entries({
  AnyObject: anyObject,
  Error: errorReply,
  Version: versionRecord,
  Health: health,
  Capabilities: capabilities,
  Project: projectRecord,
  ProjectCreate: projectCreate,
  ProjectUpdate: projectUpdate,
  ProjectStats: projectStats,
  ProjectFile: projectFile,
  ComputeProject: computeProject,
  Snapshot: snapshotRecord,
  SnapshotCreate: snapshotCreate,
  Batch: batchBody,
  BatchResult: batchResult,
  Label: labelRecord,
  LabelCreate: label,
  Port: portRecord,
  Node: nodeRecord,
  NodeUpdate: nodeUpdate,
  Link: linkRecord,
  LinkCreate: linkCreate,
  LinkUpdate: linkUpdate,
  Filters: filters,
  FilterDescription: filterDescription,
  Drawing: drawingRecord,
  DrawingCreate: drawingCreate,
  DrawingUpdate: drawingUpdate,
  Nio: nioRecord,
  NodeCapture: nodeCapture,
  LinkCapture: linkCapture,
  CaptureFile: captureResult,
  Recording: recordingFile,
  Packet: packetMessage,
  LoginState: loginState,
  Replay: replayRecord,
  ReplayCreate: replayCreate,
  Compute: computeRecord,
  ComputeStatistics: computeStatistics,
  Statistics: statistics,
  NetworkInterface: networkInterface,
  PortsInUse: portsInUse,
  Image: image,
  Template: templateRecord,
  TemplateUpdate: templateUpdate,
  Fact: fact,
  Facts: eventsPage,
  History: historyPage,
  ObjectDiff: objectDiff,
  StoreVerdict: storeVerdict,
  Frame: feedFrame,
  ComputeFrame: computeFrame,
});

/** Schemas that the document gives a name and refers to wherever they are; all others stand where they are used. */
const namedSchemas = ({ kinds, kindNames }: Pick<Api, 'kinds' | 'kindNames'>): Map<z.core.$ZodType, string> => {
  const names = new Map<z.core.$ZodType, string>();
  const add = (name: string, schema: z.ZodType) => {
    if (!names.has(schema)) names.set(schema, name);
  };
  for (const [name, schema] of OURS) add(name, schema);
  add('NodeCreate', nodeCreate(kindNames));
  add('TemplateCreate', templateCreate(kindNames));
  for (const kind of kinds.all()) {
    const noun = kind.name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
    add(`${noun}Create`, kind.create);
    add(`${noun}Update`, kind.update);
    add(`${noun}Start`, kind.startBody);
    add(`${noun}Node`, kind.output);
  }
  return names;
};
