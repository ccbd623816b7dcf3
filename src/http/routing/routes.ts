import type { Api } from '../api.ts';
import { captureRoutes } from '../v2/captures/routes.ts';
import { checkRoutes } from '../v2/checks/routes.ts';
import { stageRoutes } from '../v2/checks/stage-routes.ts';
import { computeBatchRoutes } from '../v2/compute/batch.ts';
import { catalogueRoutes } from '../v2/catalogue/routes.ts';
import { claimRoutes } from '../v2/compute/claim.ts';
import { imageRoutes } from '../v2/compute/images.ts';
import { kindOperationRoutes } from '../v2/compute/kind-operations.ts';
import { computeNodeRoutes } from '../v2/compute/nodes.ts';
import { computeProjectRoutes } from '../v2/compute/projects.ts';
import { batchRoutes } from '../v2/batch/routes.ts';
import { computeServiceRoutes } from '../v2/compute/service.ts';
import { archiveRoutes } from '../v2/projects/archive-routes.ts';
import { computeRoutes } from '../v2/computes/routes.ts';
import { drawingRoutes } from '../v2/drawings/routes.ts';
import { editRoutes } from '../v2/edits/routes.ts';
import { eventRoutes } from '../v2/events/routes.ts';
import { timeLineRoutes } from '../v2/events/timeline-routes.ts';
import { feedRoutes } from '../v2/feed/routes.ts';
import { fileRoutes } from '../v2/nodes/file-routes.ts';
import { forwardRoutes } from '../v2/computes/forward-routes.ts';
import { linkCaptureRoutes } from '../v2/links/capture-routes.ts';
import { linkRoutes } from '../v2/links/routes.ts';
import { nodeActionRoutes } from '../v2/nodes/action-routes.ts';
import { nodeOperationRoutes } from '../v2/nodes/operation-routes.ts';
import { nodeRoutes } from '../v2/nodes/routes.ts';
import { pageRoutes } from '../v2/server/page-routes.ts';
import { pictureRoutes } from '../v2/projects/picture-routes.ts';
import { projectRoutes } from '../v2/projects/routes.ts';
import { configRoutes } from '../v2/nodes/config-routes.ts';
import { recordingRoutes } from '../v2/nodes/recording-routes.ts';
import { replayRoutes } from '../v2/events/replay-routes.ts';
import { serverRoutes } from '../v2/server/routes.ts';
import { serviceRoutes } from '../v2/server/service-routes.ts';
import { sessionRoutes } from '../v2/events/session-routes.ts';
import { settingRoutes } from '../v2/server/settings-routes.ts';
import { symbolRoutes } from '../v2/symbols/routes.ts';
import { templateRoutes } from '../v2/templates/routes.ts';
import { waitRoutes } from '../v2/nodes/wait-routes.ts';
import { snapshotRoutes } from '../v2/snapshots/routes.ts';
import { operatingRoutes } from '../v2/server/operating-routes.ts';
import { loginRoutes } from '../v2/server/login-routes.ts';
import { openApiDocument } from './openapi.ts';
import type { Route } from './route.ts';

/** The whole table. */
export const createRoutes = (api: Api): Route[] => {
  let text: string | undefined;
  const document = () => (text ??= JSON.stringify(openApiDocument(routes, api)));
  const compute: Route[] = [
    ...computeServiceRoutes(api),
    ...claimRoutes(api),
    ...computeProjectRoutes(api),
    ...api.kinds.all().flatMap((kind) => computeNodeRoutes(api, kind)),
    ...api.kinds.all().flatMap((kind) => [...imageRoutes(api, kind), ...kindOperationRoutes(api, kind)]),
  ];
  const routes: Route[] = [
    ...serverRoutes(api, document),
    ...operatingRoutes(api),
    ...loginRoutes(api),
    ...computeRoutes(api),
    ...projectRoutes(api),
    ...pictureRoutes(api),
    ...nodeRoutes(api),
    ...nodeActionRoutes(api),
    ...recordingRoutes(api),
    ...configRoutes(api),
    ...linkRoutes(api),
    ...linkCaptureRoutes(api),
    ...captureRoutes(api),
    ...drawingRoutes(api),
    ...checkRoutes(api),
    ...stageRoutes(api),
    ...batchRoutes(api),
    ...eventRoutes(api),
    ...timeLineRoutes(api),
    ...editRoutes(api),
    ...sessionRoutes(api),
    ...replayRoutes(api),
    ...templateRoutes(api),
    ...symbolRoutes(api),
    ...catalogueRoutes(api),
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
    ...computeBatchRoutes(api, compute),
  ];
  return routes;
};
