/** What the facade may know of kinds: their types and what is read off a record; the kinds themselves reach it injected. */
export type { Kind, KindOperation, NodeOperation } from '../emulators/contract.ts';
export { portsOf } from '../emulators/ports-of.ts';
export type { EngineReport } from '../emulators/engines.ts';
