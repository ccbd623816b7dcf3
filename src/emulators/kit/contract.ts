import type { z } from 'zod';
import type { FileSort } from '../../common/file-sort.ts';
import type { NodeTables } from '../../fabric/protocol.ts';
import type {
  Engine,
  EngineContext,
  EngineFactory,
  KindNode,
  NodeFile,
  Port,
  PortNaming,
  Properties,
} from './engine-contract.ts';
import type { OldForm } from './old-nodes.ts';

/**
 * The contract between the core and the kinds of nodes. The core knows kinds only through it: it asks capabilities and never compares
 * names. A kind is a folder of src/emulators; registry.ts lists them.
 */
export type * from './engine-contract.ts';

/** Re-exported for rooms that may not import the fabric. */
export type { FabricEvent } from '../../fabric/protocol.ts';

/** A setting by which a node uses files, programs or networks of the server's machine that labs do not have anyway. */
export interface HostUse {
  /** Key of the properties. */
  field: string;
  reason: string;
  /** The one interface that it uses: the server may allow its clients that one. `port_number`: for that port alone. */
  interface?: string;
  port_number?: number;
}

/** Names of the interfaces of the server's machine that labs may use; those of a local server may use any. */
export type AllowedInterfaces = readonly string[] | 'any';

/** Conversions for a controller that knows the existing server, where that server differs. */
export interface AsExisting {
  /** The compute record without what that server's schemas refuse: they come back in its creates, and stand in its project files. Pure. */
  record(node: Omit<KindNode, 'ports'>): Record<string, unknown>;
  /** Settings of a new node, and of a project file, that says nothing of them. Pure. */
  defaults(given: Properties): Properties;
  inFile(given: Properties): Properties;
  /** Settings that name something of another machine, as this one has it. Pure. */
  here(given: Properties, local: boolean): Properties;
  /** Its nodes take a suspend and go on. */
  readonly ignoresSuspend: boolean;
}

export interface Capabilities {
  /** Starts when its project opens, and again when any node of the project is started. */
  always_on: boolean;
  suspend: boolean;
  reload: boolean;
  duplicate: boolean;
  /** Its own end of a link can carry filters (link filters always work: the cable does them; this is for `available_filters`). */
  filters: boolean;
  /** NIO types the compute group takes on its ports. */
  nio_types: readonly string[];
  /** Updating a NIO in place is possible. */
  nio_update: boolean;
  /** Each adapter has one port, number 0: old project files name it by one number. */
  adapter_only: boolean;
  /** A capture of the compute group is refused with 409 while the node does not run. */
  capture_needs_started: boolean;
  /** Console types it takes; the first is the default. Empty: no console field at all. */
  console_types: readonly string[];
  /** Has a directory for its files. */
  directory: boolean;
  /** Serves a port only while it has a link; a running node hears of links that are made and deleted. */
  serves_linked: boolean;
  /** Two of these cannot be linked to one another (both lead out of the lab). */
  leads_out: boolean;
  /** A node consists of its project and images alone, so that an archive can have it. */
  portable: boolean;
  /** The compute group's start answers 200 with the record rather than 204. */
  start_answers_record: boolean;
}

export type Category = 'router' | 'switch' | 'guest' | 'firewall';

/** Properties of a kind's templates beyond those of all templates (name, symbol, category, compute, name format). */
export interface KindTemplate {
  /** Name of the template that every server has; null: there is none, as nodes of this kind need an image first. */
  readonly builtin: string | null;
  readonly category: Category;
  /** Name that nodes get: `{0}` is a running number, `{name}` the template's name. */
  readonly nameFormat: string;
  /** Settings as clients may send them: properties that nodes can share, and what only templates have. Optional, closed. */
  readonly settings: z.ZodObject;
  /** Settings that name a file of `<files>/configs`: the property that takes its text at a node's creation. */
  readonly texts: Readonly<Record<string, string>>;
  /** Removes the nulls and empty texts by which clients mean the default. Pure. */
  tidy(given: Properties): Properties;
  /** Fills in defaults. Throws TopologError. Pure. */
  complete(given: Properties): Properties;
}

/** A route that one kind has and others have not, as data. Without `output` its answer is empty. */
interface Operation {
  method: 'GET' | 'POST' | 'PUT';
  /** End of its path, e.g. `binaries`. */
  path: string;
  summary: string;
  code: 200 | 201;
  /** Closed. Absent: anything, ignored. */
  body?: z.ZodObject;
  output?: z.ZodType;
}

/** Parts of the server that operations may use. */
export interface OperationContext extends Pick<EngineContext, 'filesDir' | 'imageDirectories' | 'kindOptions'> {
  /** Clients may name files anywhere. */
  local: boolean;
}

/** Operation on this machine or the images: `/v2/compute/{kind}/{path}`. All but GET go on record. */
export interface KindOperation extends Operation {
  run(args: Properties, context: OperationContext, signal: AbortSignal): Promise<unknown>;
}

/** Operation on one node, run alone among its commands: `.../nodes/{node_id}/{path}`. All but GET go on record. */
export interface NodeOperation extends Operation {
  /** Its path below a node of the controller group. Absent: the compute group alone has it. */
  controller?: string;
  /** State that the node must have. */
  requires?: 'stopped' | 'started';
  /** The same operation below a compute of the controller group, at a temporary node with this name and these properties. */
  alone?: { path: string; summary: string; name: string; body: z.ZodObject };
  /** `engine`: the one that the node runs, or ran, with. */
  run(
    node: KindNode,
    args: Properties,
    place: { context: OperationContext; engine: Engine | undefined },
    signal: AbortSignal,
  ): Promise<unknown>;
}

/**
 * A setting of the server that nodes of a kind get when their start brings none. It is a secret: it lives in a file that only the user of
 * the server can read, and no event has what it says.
 */
export interface KindSetting {
  /** Path of the interface at which it is read and changed. */
  path: string;
  summaries: { read: string; change: string };
  schema: z.ZodObject;
  /** Fields that are absent keep their value. */
  changes: z.ZodObject;
  /** Below the data directory; it holds the setting as JSON, sealed. */
  file: string;
  /** The setting; without one its defaults. Throws a conflict for one that is damaged. */
  read(dataDir: string): Promise<Properties>;
  /** Data of its event. Pure. */
  eventData(setting: Properties): { license: string; present: boolean };
}

/** How files that describe appliances speak of a kind. Their section for it has the name that existing tools use. */
export interface ApplianceForm {
  /** Settings of a template, from what the section and one of its versions say. Keys that templates do not have stay. Pure. */
  settings(section: Properties, version: Properties): Properties;
  /** The setting that takes the image of each slot. */
  slots: Readonly<Record<string, string>>;
}

interface StandIn {
  kind: Pick<Kind, 'name' | 'alias'>;
  /** Pure. */
  properties(properties: Properties): Properties;
}

/** A node as a file of containerlab says it, with what its kind, groups and defaults there add. */
export interface ContainerlabNode {
  /** Keys of it as they are there, all texts, lists and maps of texts. */
  keys: Properties;
  /** Names of its interfaces that the file uses, in the order of the text. */
  interfaces: readonly string[];
  /** Its programs may do there what the machine can. */
  privileged?: boolean;
  /** Name by which the machine there knows it. */
  longName?: string;
  /** Addresses with prefix lengths, by interface. */
  addresses: Readonly<Record<string, readonly string[]>>;
  /** Gateway and server of names on the interface for management. Absent: it leads nowhere. */
  gateway?: string;
  /** Addresses of others on the management network, by name. */
  hosts?: Readonly<Record<string, string>>;
  /** Copies of files of this machine. `source`: as the file names it. */
  files: readonly { path: string; content: string; encoding?: 'base64'; mode?: string; source: string }[];
}

/** How files of containerlab speak of a kind. */
export interface ContainerlabForm {
  /** The kinds of theirs that become this one; the first is the one that it is written as. */
  readonly kinds: readonly string[];
  /** Keys of a node that `properties` takes; all others are told. */
  readonly keys: readonly string[];
  /** Its nodes run programs: they have an interface for management, commands, files. */
  readonly managed: boolean;
  /** Its name where links name it without a node; absent: links do not. */
  readonly word?: string;
  /** Ports have the names of the interfaces. Pure. Throws a sentence for what cannot be used. */
  properties(node: ContainerlabNode): Properties;
  /** Sentences about values of these keys that are not taken. Pure. */
  unused?(keys: Properties): string[];
  /** Converts properties to keys, files beside, addresses. Pure. */
  node(properties: Properties): Omit<ContainerlabNode, 'interfaces'>;
}

export interface Kind {
  /** Neutral token: path segment and node_type. */
  readonly name: string;
  /** Name that existing tools use. */
  readonly alias: string;
  /** Name for people, by language, where that is not its name with blanks in it. */
  readonly titles?: Readonly<Record<string, string>>;
  /** Under `project-files/` of the project directory. */
  readonly directory: string;
  readonly capabilities: Capabilities;
  /** Defaults of a controller node of this kind. `name`: `PC{0}`, `{0}` being a running number. */
  readonly look: { symbol: string; port_name_format: string; port_segment_size: number; name: string };
  readonly template: KindTemplate;
  /** Properties as clients may send them: every key optional, closed (unknown key: error). Keys are those of the JSON interface. */
  readonly properties: z.ZodObject;
  /** Body of the compute group's create. */
  readonly create: z.ZodObject;
  /** Body of the compute group's update: a subset; read-only fields are accepted and ignored. */
  readonly update: z.ZodObject;
  /** The compute record, for the OpenAPI document. */
  readonly output: z.ZodObject;
  /** Body of the compute group's start. */
  readonly startBody: z.ZodObject;
  /** Keys of `properties` that must be given (by either group), e.g. `image` for a container. */
  readonly required: readonly string[];
  /** Keys of `properties` that belong to one node: a duplicate of it starts without them. */
  readonly unique: readonly string[];
  /** Keys of `properties` that existing tools do not know: they stand beside the project file. */
  readonly own: readonly string[];
  /**
   * Properties that name images, and the folder below `<files>/images` where those are. `isImage` tells by a file's first 16
   * octets whether it is offered to clients; absent: every file is. Absent as a whole: none.
   */
  readonly images?: {
    folder: string;
    fields: readonly string[];
    /** Property with the MD5 sum; absent: `<field>_md5sum`. */
    sum?: string;
    isImage?: (head: Uint8Array) => boolean;
  };
  /** Absent: no appliance is of this kind, or no node there. */
  readonly appliance?: ApplianceForm;
  readonly containerlab?: ContainerlabForm;
  /** Absent: only those that all kinds have. */
  readonly operations?: readonly KindOperation[];
  readonly nodeOperations?: readonly NodeOperation[];
  /** Files that its engines write in the data directory, outside of the directories of nodes. Absent: none. */
  readonly setting?: KindSetting;
  readonly writes?: FileSort;
  /** Name under which a node keeps the file that a client asks for by another name. Both below its directory. Pure. */
  fileName?(name: string, node: { node_id: string; properties: Properties }): string;
  /** Nodes of project files before revision 5 that become this kind. Absent: there are none. */
  readonly old?: OldForm;
  /**
   * Whether a file of the directory that nodes of this kind shared before revision 7 is that of a node; `name` is relative to the
   * directory, with `/`. Pure. Absent: each had its own.
   */
  sharedFile?(name: string, properties: Properties): boolean;
  /**
   * Files of a node's directory that configure it, by their names there. What an engine reads of a running node comes before them. Pure.
   * Absent: its directory has none.
   */
  configFiles?(node: { node_id: string; properties: Properties }): readonly string[];
  /** Files that a new node has in its directory where it is given none. Pure. Absent: none. */
  firstFiles?(node: Pick<KindNode, 'properties'>): readonly NodeFile[];
  /** Texts given with a create or an update that become files of the node; `complete` drops their keys. Absent: none. */
  files?(given: Properties, node: { node_id: string; name: string }): NodeFile[];
  /** Line of its start-up texts that gives the node its name, which is what follows `$1`. Absent: none does. */
  readonly nameLine?: RegExp;
  /** Commands that its start-up text can have, also shortened as far as they are told apart. Absent: not known. */
  readonly startUpCommands?: readonly string[];
  /** Keys of texts that hold no secret: what a node was given by them stands in its record, so that any moment knows it. */
  readonly textsOnRecord?: readonly string[];
  /** Describes what becomes of frames and packets at a node. Pure. Absent: unknown, as for a real system. */
  forwarding?(node: KnownNode): Forwarding | null;
  /** Addresses that its settings give it. Pure. Absent: none do. */
  addresses?(properties: Properties): readonly string[];
  /**
   * Describes a ping at its console, for kinds whose nodes do not run inside; several: the one of the prompt that is there. Absent: unknown
   * what its system takes.
   */
  readonly ping?: ConsolePing | readonly ConsolePing[];
  /**
   * Completes and normalises properties: defaults for what is absent or null, `acpi_shutdown` taken into `on_close` (the
   * record gives both), unknown keys as they were. Throws TopologError. Pure.
   */
  complete(given: Properties, node: { node_id: string; name: string }): Properties;
  /** Lists of properties that a new node has from this machine where none is given. Absent: none. */
  readonly ofMachine?: Readonly<Record<string, (allowed: AllowedInterfaces) => Promise<readonly unknown[]>>>;
  /**
   * Properties as existing tools take them from a project file: they refuse the whole lab for one that is empty or null where they
   * want something. `made`: those of the record, which `properties` can lack. Pure.
   */
  inFile(properties: Properties, made: Properties): Properties;
  /**
   * Another kind with the same ports, and its properties, that existing tools get in its place when they do not know the kind. Their
   * project file and their answers have it; the real kind stands beside the project file. Absent: they know the kind.
   */
  readonly standIn?: StandIn;
  /** Pure; from completed properties. */
  ports(properties: Properties, naming: PortNaming): Port[];
  /** The compute record. Pure. */
  record(node: Omit<KindNode, 'ports'>): Record<string, unknown>;
  readonly asExisting: AsExisting;
  /** Changed keys that a running node cannot take; empty when all can. `before`/`after` are completed. */
  needsStop(before: Properties, after: Properties): string[];
  /** Uses that clients of a server that is not local may not ask for. Pure; from completed properties; never throws. */
  hostUses(properties: Properties): HostUse[];
  /** Settings of a node that leads a network (`172.20.20.0/24`) out of the lab, at its first address. Pure. Absent: none can. */
  gateway?(network: string): Properties;
  /** Engines, first choice first, without `simulated`, which every kind has. */
  readonly engines: readonly EngineFactory[];
}

/** Treatment of what arrives at a node, as its kind tells it, for following the path of a packet without sending one. */
export type Forwarding = Passing | Addressed;

interface NodePort {
  adapter_number: number;
  port_number: number;
}

/** A frame at a port. */
export interface Arrival extends NodePort {
  /** The frame as it is on the cable, tags included. */
  frame: Uint8Array;
}

/** A frame that leaves, or would if a setting did not keep it. */
export interface Departure extends Arrival {
  /** VLAN in which it travels; absent: there is none. */
  vlan?: number;
  /** Why it does not leave here, as the end of a sentence about the node; absent: it does. */
  kept?: string;
}

/** A node without addresses: a switch, a hub. */
export interface Passing {
  by: 'frames';
  /** All ports by which a frame may leave, whatever was learned, and that are `linked`: a frame gets nowhere by others. Pure. */
  pass(arrived: Arrival, linked: (port: NodePort) => boolean): Departure[];
}

/** An interface with addresses. */
interface Interface {
  adapter_number: number;
  port_number: number;
  /** `10.0.0.1/24`, of either family. */
  addresses: readonly string[];
  /** Addresses that its start-up text asks for, also those that another node already uses. */
  wanted?: readonly string[];
  mac: string | null;
  /** Octets of the longest packet. */
  mtu: number;
}

/** A route to a network. */
export interface AddressRoute {
  /** `0.0.0.0/0` is every network. */
  to: string;
  /** Address of the next router. */
  via: string;
}

/** A node with addresses: a PC, a router. */
export interface Addressed {
  by: 'addresses';
  interfaces: readonly Interface[];
  routes: readonly AddressRoute[];
  /** Forwards packets that are for others. */
  forwards: boolean;
  /** The addresses are complete; false: a server assigns them, or the node's start-up text is not on record. */
  isKnown: boolean;
  /** Addresses and routes are what the settings ask for: the system inside may have others by now. */
  isMeant?: true;
}

/** A node as far as it is known. */
export interface KnownNode extends Pick<KindNode, 'node_id' | 'name' | 'properties' | 'ports'> {
  /** Start-up texts on record, by the key that carries each; null: none is. */
  texts: Readonly<Record<string, string>> | null;
  /** Tables of the running node; null: it was not asked, as at a moment of the past. */
  tables: NodeTables | null;
}

/** Echo requests of one typed line. */
interface TypedRequests {
  count: number;
  /** Octets of data; absent: the console's default. */
  size?: number;
  /** Interval of requests, where the console takes one. Milliseconds; absent: the console's default. */
  interval_ms?: number;
}

/** Describes how to run a ping at the console of a node that cannot send probes by itself. */
export interface ConsolePing {
  /** Prompts of systems that take it. */
  readonly prompt: RegExp;
  /** Line to type. `to`: an address of either family. Pure. */
  line(to: string, requests: TypedRequests): string;
  /**
   * Regular expression on the lines of the answer that tells when it is over, whatever the result. Without it nobody can say, as where
   * another program than a shell is at the console. Pure.
   */
  over(count: number): string;
  /** How many requests were answered, of an answer that is over. Pure. */
  answered(text: string): number;
  /** The first request may be lost because the MAC address of a neighbour is asked for: that says nothing of the links. */
  readonly losesFirst?: boolean;
}
