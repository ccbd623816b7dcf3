/** Everything a client can listen to. */
export type FeedKind = 'controller' | 'project' | 'compute';

export interface Frame {
  action: string;
  /** JSON text. */
  event: string;
}
