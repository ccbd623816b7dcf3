/** Values of kinds and of the fabric that the facade shows as they are; their types it imports itself. */
export { FILTER_DESCRIPTIONS } from '../fabric/client/plumbing.ts';
export { customAdapters } from '../emulators/kit/fields.ts';
export { portsOf } from '../emulators/recorded-node.ts';
