import type { Client, Schemas as ClientSchemas } from 'topolog/client';

export type Schemas = ClientSchemas;
/** A frame of a project's feed, or of the server's. */
export type FrameOf = Schemas['Frame'];
export type { Client };
export type { Shown } from 'topolog/client';
