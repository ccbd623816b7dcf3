/** What the facade may know of kinds: the types only; the kinds themselves reach it injected. */
export type { Kind, KindNode, KindOperation, NodeOperation } from '../emulators/contract.ts';
export { portsOf } from '../emulators/ports-of.ts';
export type { EngineReport } from '../emulators/engines.ts';
