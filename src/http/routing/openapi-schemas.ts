import { labApplied, labPlan } from '../v2/labs.ts';
import { z } from 'zod';
import type { Api } from '../api.ts';
import { checkAnswer, checkInput, finding } from '../v2/checks.ts';
import { batchBody, batchResult } from '../v2/batch.ts';
import { applianceAnswer, catalogueImage, catalogueSymbol } from '../v2/catalogue.ts';
import { captureResult, linkCapture, nodeCapture } from '../v2/captures/link-captures.ts';
import { loginState } from '../v2/server/login.ts';
import { anyObject, errorReply, label, labelRecord, omit } from '../v2/schema.ts';
import { drawingCreate, drawingRecord, drawingUpdate } from '../v2/drawings.ts';
import { computeFrame, feedFrame } from '../v2/feeds.ts';
import { filterDescription, linkCreate, linkRecord, linkTraffic, linkUpdate } from '../v2/links/schema.ts';
import { nioRecord } from '../v2/compute/ports.ts';
import { nodeCreate, nodeRecord, nodeUpdate, portRecord } from '../v2/nodes/nodes.ts';
import { projectCreate, projectOverview, projectRecord, projectStats, projectUpdate } from '../v2/projects/projects.ts';
import {
  captureRecord,
  conversationPage,
  decodedPacket,
  followed,
  journey,
  packetField,
  packetPage,
  packetSearch,
} from '../v2/captures/captures.ts';
import { packetMessage } from '../v2/captures/packet-feed.ts';
import { collected, configContent, configVersion } from '../v2/nodes/configs.ts';
import { recordingFile } from '../v2/nodes/recordings.ts';
import { entriesPage, namedObject, overview } from '../v2/events/timeline.ts';
import { whyAnswer } from '../v2/events/why.ts';
import { replayCreate, replayRecord } from '../v2/events/replays.ts';
import { edit, edits, restored, undone } from '../v2/edits.ts';
import { storeVerdict } from '../v2/events/sessions.ts';
import { weatherBody, weatherRecord, weatherState } from '../v2/weather.ts';
import { templateCreate, templateRecord, templateUpdate } from '../v2/templates.ts';
import { versionRecord, health, computeStatistics } from '../v2/server/server.ts';
import { computeRecord } from '../v2/computes/compute-record.ts';
import { projectFile, computeProject } from '../v2/compute/projects.ts';
import { snapshotRecord, snapshotCreate } from '../v2/snapshots.ts';
import { stageAnswer } from '../v2/stages.ts';
import { moved } from '../v2/computes/computes.ts';
import { event, eventsPage, historyPage, objectDiff } from '../v2/events/events.ts';
import { capabilities, engine, statistics, networkInterface, portsInUse } from '../v2/compute/machine.ts';
import { image } from '../v2/compute/kinds.ts';
import { filters } from '../../model/types.ts';

export type Json = Record<string, unknown>;
type Io = 'input' | 'output';

/** Schemas of zod as those of the document. */
export interface Schemas {
  /** A reference where the schema has a name, and an entry in the document for it; otherwise the schema itself. */
  refer(schema: z.ZodType, io: Io): Json;
  /** The schema itself, with references to named schemas in it. */
  whole(schema: z.ZodType, io: Io): Json;
  /** Schemas that have been referred to. */
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

/** Metadata of schemas, and the names that the document gives them. */
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

/** Makes references to a JSON Schema's own definitions references to the document's. */
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
  LabPlan: labPlan,
  LabApplied: labApplied,
  ProjectOverview: projectOverview,
  ProjectStats: projectStats,
  ProjectFile: projectFile,
  ComputeProject: computeProject,
  Snapshot: snapshotRecord,
  SnapshotCreate: snapshotCreate,
  Weather: weatherState,
  WeatherEntry: weatherRecord,
  WeatherEntryInput: weatherBody,
  Check: checkAnswer,
  CheckCreate: checkInput,
  Finding: finding,
  Stage: stageAnswer,
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
  LinkTraffic: linkTraffic,
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
  ConfigVersion: configVersion,
  ConfigContent: configContent,
  Collected: collected,
  Packet: packetMessage,
  Capture: captureRecord,
  PacketPage: packetPage,
  PacketField: packetField,
  DecodedPacket: decodedPacket,
  Conversations: conversationPage,
  Conversation: followed,
  PacketJourney: journey,
  PacketSearch: packetSearch,
  LoginState: loginState,
  Replay: replayRecord,
  ReplayCreate: replayCreate,
  Compute: computeRecord,
  ComputeStatistics: computeStatistics,
  Engine: engine,
  Moved: moved,
  Statistics: statistics,
  NetworkInterface: networkInterface,
  PortsInUse: portsInUse,
  Image: image,
  CatalogueImage: catalogueImage,
  CatalogueSymbol: catalogueSymbol,
  Appliance: applianceAnswer,
  Template: templateRecord,
  TemplateUpdate: templateUpdate,
  Fact: event,
  Events: eventsPage,
  History: historyPage,
  ObjectDiff: objectDiff,
  TimeLine: overview,
  TimeLineEntries: entriesPage,
  TimeLineObject: namedObject,
  Why: whyAnswer,
  Edit: edit,
  Edits: edits,
  Undone: undone,
  Restored: restored,
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
    add(`${noun}Properties`, kind.properties);
    add(`${noun}Create`, kind.create);
    add(`${noun}Update`, kind.update);
    add(`${noun}Start`, kind.startBody);
    add(`${noun}Node`, kind.output);
  }
  return names;
};
