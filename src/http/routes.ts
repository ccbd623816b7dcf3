import type { Api } from './api.ts';
import { capabilityRoutes } from './compute/capabilities.ts';
import { computeFileRoutes } from './compute/files.ts';
import { imageRoutes } from './compute/images.ts';
import { kindOperationRoutes } from './compute/kind-operations.ts';
import { computeNodeRoutes } from './compute/nodes.ts';
import { computeProjectRoutes } from './compute/projects.ts';
import { batchRoutes } from './controller/batch.ts';
import { computeServiceRoutes } from './compute/service.ts';
import { archiveRoutes } from './controller/archives.ts';
import { computeRoutes } from './controller/computes.ts';
import { drawingRoutes } from './controller/drawings.ts';
import { eventRoutes } from './controller/events.ts';
import { feedRoutes } from './controller/feeds.ts';
import { fileRoutes } from './controller/files.ts';
import { forwardRoutes } from './controller/forward.ts';
import { linkCaptureRoutes } from './controller/link-captures.ts';
import { linkRoutes } from './controller/links.ts';
import { nodeActionRoutes } from './controller/node-actions.ts';
import { nodeOperationRoutes } from './controller/node-operations.ts';
import { nodeRoutes } from './controller/nodes.ts';
import { pageRoutes } from './controller/pages.ts';
import { projectRoutes } from './controller/projects.ts';
import { recordingRoutes } from './controller/recordings.ts';
import { replayRoutes } from './controller/replays.ts';
import { serverRoutes } from './controller/server.ts';
import { serviceRoutes } from './controller/service.ts';
import { sessionRoutes } from './controller/session.ts';
import { settingRoutes } from './controller/settings.ts';
import { symbolRoutes } from './controller/symbols.ts';
import { templateRoutes } from './controller/templates.ts';
import { waitRoutes } from './controller/wait.ts';
import { snapshotRoutes } from './controller/snapshots.ts';
import { loginRoutes } from './controller/login.ts';
import { openApiDocument } from './openapi.ts';
import type { Route } from './route.ts';

/** The whole table. */
export const createRoutes = (api: Api): Route[] => {
  let text: string | undefined;
  const document = () => (text ??= JSON.stringify(openApiDocument(routes, api)));
  const compute: Route[] = [
    ...capabilityRoutes(api),
    ...computeServiceRoutes(api),
    ...computeProjectRoutes(api),
    ...computeFileRoutes(api),
    ...api.kinds.all().flatMap((kind) => computeNodeRoutes(api, kind)),
    ...api.kinds.all().flatMap((kind) => [...imageRoutes(api, kind), ...kindOperationRoutes(api, kind)]),
  ];
  const routes: Route[] = [
    ...serverRoutes(api, document),
    ...loginRoutes(api),
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
    ...templateRoutes(api),
    ...symbolRoutes(api),
    ...settingRoutes(api),
    ...feedRoutes(api),
    ...waitRoutes(api),
    ...archiveRoutes(api),
    ...snapshotRoutes(api),
    ...fileRoutes(api),
    ...serviceRoutes(api),
    ...nodeOperationRoutes(api),
    ...forwardRoutes(api, compute),
    ...pageRoutes(api),
    ...compute,
  ];
  return routes;
};
