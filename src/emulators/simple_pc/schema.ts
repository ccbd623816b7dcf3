import { content, type Fields } from '../kit/fields.ts';

/** A simple PC has no settings of its own: its addresses are typed at its console and saved there. */
export const fields: Fields = {};

/** Script of console commands that runs at every start; kept as the node's file `startup.vpc`. */
export const inputs = { startup_script: content.nullable() };
