/** The filters of links, as clients are told of them. */
export { FILTER_DESCRIPTIONS } from '../fabric/client/plumbing.ts';
/** What the facade may know of kinds: their types and what is read off a record; the kinds themselves reach it injected. */
export type { Kind, KindOperation, KindSetting, NodeOperation } from '../emulators/kit/contract.ts';
export { customAdapters } from '../emulators/kit/fields.ts';
export { portsOf } from '../emulators/ports/ports-of.ts';
export type { EngineReport } from '../emulators/kit/engines.ts';
