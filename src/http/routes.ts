import type { Api } from './api.ts';
import { capabilityRoutes } from './compute/capabilities.ts';
import { computeFileRoutes } from './compute/files.ts';
import { computeNodeRoutes } from './compute/nodes.ts';
import { computeProjectRoutes } from './compute/projects.ts';
import { archiveRoutes } from './controller/archives.ts';
import { batchRoutes } from './controller/batch.ts';
import { computeRoutes } from './controller/computes.ts';
import { drawingRoutes } from './controller/drawings.ts';
import { eventRoutes } from './controller/events.ts';
import { fileRoutes } from './controller/files.ts';
import { feedRoutes } from './controller/feeds.ts';
import { linkCaptureRoutes } from './controller/link-captures.ts';
import { linkRoutes } from './controller/links.ts';
import { nodeActionRoutes } from './controller/node-actions.ts';
import { nodeRoutes } from './controller/nodes.ts';
import { projectRoutes } from './controller/projects.ts';
import { recordingRoutes } from './controller/recordings.ts';
import { replayRoutes } from './controller/replays.ts';
import { serverRoutes } from './controller/server.ts';
import { sessionRoutes } from './controller/session.ts';
import { snapshotRoutes } from './controller/snapshots.ts';
import { settingRoutes } from './controller/settings.ts';
import { symbolRoutes } from './controller/symbols.ts';
import { templateRoutes } from './controller/templates.ts';
import { waitRoutes } from './controller/wait.ts';
import { openApiDocument } from './openapi.ts';
import type { Route } from './route.ts';

/** The whole table. */
export const createRoutes = (api: Api): Route[] => {
  let text: string | undefined;
  const document = () => (text ??= JSON.stringify(openApiDocument(routes, api)));
  const routes: Route[] = [
    ...serverRoutes(api, document),
    ...computeRoutes(api),
    ...projectRoutes(api),
    ...nodeRoutes(api),
    ...nodeActionRoutes(api),
    ...recordingRoutes(api),
    ...linkRoutes(api),
    ...linkCaptureRoutes(api),
    ...drawingRoutes(api),
    ...batchRoutes(api),
    ...eventRoutes(api),
    ...sessionRoutes(api),
    ...replayRoutes(api),
    ...archiveRoutes(api),
    ...snapshotRoutes(api),
    ...fileRoutes(api),
    ...templateRoutes(api),
    ...symbolRoutes(api),
    ...settingRoutes(api),
    ...feedRoutes(api),
    ...waitRoutes(api),
    ...capabilityRoutes(api),
    ...computeProjectRoutes(api),
    ...computeFileRoutes(api),
    ...api.kinds.all().flatMap((kind) => computeNodeRoutes(api, kind)),
  ];
  return routes;
};
