// Made of /v2/openapi.json by `npm run docs:client`; not to be edited.

export interface paths {
  "/v2/version": {
    /** Version of the server, and whether it is the local one */
    get: operations["get_v2_version"];
    /** Check that a client expects this very version */
    post: operations["post_v2_version"];
  };
  "/v2/compute/version": {
    /** Version of the server, and whether it is the local one */
    get: operations["get_v2_compute_version"];
  };
  "/v2/health": {
    /** How the server is */
    get: operations["get_v2_health"];
  };
  "/v2/openapi.json": {
    /** This interface as an OpenAPI 3.1 document */
    get: operations["get_v2_openapi_json"];
  };
  "/v2/ready": {
    /** Whether a load balancer may send requests here, or those for a server of this role only; for everybody */
    get: operations["get_v2_ready"];
  };
  "/metrics": {
    /** Figures of the server in the text format of Prometheus (docs/reference/metrics.md) */
    get: operations["get_metrics"];
  };
  "/v2/login": {
    /** Whether a password is asked for, and whom the server knows by this request; for everybody */
    get: operations["get_v2_login"];
    /** With HTTP Basic: a cookie in its place until the browser is closed, for 7 days at most */
    post: operations["post_v2_login"];
    /** Takes that cookie away; for everybody */
    delete: operations["delete_v2_login"];
  };
  "/v2/computes": {
    /** The computes: this server, and those that were added */
    get: operations["get_v2_computes"];
    /** Add a compute: another Topolog, or a GNS3 2.2 server; this server answers with itself */
    post: operations["post_v2_computes"];
  };
  "/v2/computes/{compute_id}": {
    /** Read a compute */
    get: operations["get_v2_computes_compute_id"];
    /** Change a compute; of this server itself what it is already may be sent, nothing else */
    put: operations["put_v2_computes_compute_id"];
    /** Remove a compute: what runs there is stopped; one that is not there is removed already, this server stays */
    delete: operations["delete_v2_computes_compute_id"];
  };
  "/v2/computes/{compute_id}/connect": {
    /** Connect to a compute now; 409 with the reason where that cannot be */
    post: operations["post_v2_computes_compute_id_connect"];
  };
  "/v2/computes/{compute_id}/drain": {
    /** Put every node of a compute on others, one after another; those that run stay unless restart is true */
    post: operations["post_v2_computes_compute_id_drain"];
  };
  "/v2/projects/{project_id}/nodes/move": {
    /** Put nodes of a project on another compute, one after another; those that run stay unless restart is true */
    post: operations["post_v2_projects_project_id_nodes_move"];
  };
  "/v2/computes/endpoint/{compute_id}/{emulator}/{action}": {
    /** Where a compute itself is asked */
    get: operations["get_v2_computes_endpoint_compute_id_emulator_action"];
  };
  "/v2/computes/{compute_id}/ports": {
    /** Ports of a compute that consoles and NIOs may take, and those that they have */
    get: operations["get_v2_computes_compute_id_ports"];
  };
  "/v2/computes/{compute_id}/engines": {
    /** What a compute can run: every engine of every kind; none of a GNS3 server, which does not say */
    get: operations["get_v2_computes_compute_id_engines"];
  };
  "/v2/computes/{compute_id}/auto_idlepc": {
    /** Find an idle-PC value for a router image */
    post: operations["post_v2_computes_compute_id_auto_idlepc"];
  };
  "/v2/projects": {
    /** Every project, opened or closed */
    get: operations["get_v2_projects"];
    /** Create a project */
    post: operations["post_v2_projects"];
  };
  "/v2/projects/overview": {
    /** What a list of projects shows of each: nodes, their states, the last change, who looks */
    get: operations["get_v2_projects_overview"];
  };
  "/v2/projects/load": {
    /** Open a project file of the local server */
    post: operations["post_v2_projects_load"];
  };
  "/v2/projects/{project_id}": {
    /** Read a project */
    get: operations["get_v2_projects_project_id"];
    /** Change settings of a project */
    put: operations["put_v2_projects_project_id"];
    /** Delete a project with its directory */
    delete: operations["delete_v2_projects_project_id"];
  };
  "/v2/projects/{project_id}/stats": {
    /** Count what a project holds */
    get: operations["get_v2_projects_project_id_stats"];
  };
  "/v2/projects/{project_id}/fork": {
    /** A new, closed project with the lab as it was at a moment */
    post: operations["post_v2_projects_project_id_fork"];
  };
  "/v2/projects/{project_id}/open": {
    /** Open a project */
    post: operations["post_v2_projects_project_id_open"];
  };
  "/v2/projects/{project_id}/close": {
    /** Stop every node of a project and close it */
    post: operations["post_v2_projects_project_id_close"];
  };
  "/v2/projects/{project_id}/picture.svg": {
    /** The lab as one SVG that needs nothing else: its nodes, links and drawings */
    get: operations["get_v2_projects_project_id_picture_svg"];
  };
  "/v2/projects/{project_id}/nodes": {
    /** Nodes of a project */
    get: operations["get_v2_projects_project_id_nodes"];
    /** Create a node; a taken name gets a number */
    post: operations["post_v2_projects_project_id_nodes"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}": {
    /** Read a node */
    get: operations["get_v2_projects_project_id_nodes_node_id"];
    /** Change a node; fields not sent keep their value */
    put: operations["put_v2_projects_project_id_nodes_node_id"];
    /** Delete a node with its links and files */
    delete: operations["delete_v2_projects_project_id_nodes_node_id"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/links": {
    /** Links of a node */
    get: operations["get_v2_projects_project_id_nodes_node_id_links"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/duplicate": {
    /** Copy a node to another place */
    post: operations["post_v2_projects_project_id_nodes_node_id_duplicate"];
  };
  "/v2/projects/{project_id}/nodes/start": {
    /** Start every node of a project; each is attempted, a 409 lists those that failed */
    post: operations["post_v2_projects_project_id_nodes_start"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/start": {
    /** Start a node; answers with the state reached */
    post: operations["post_v2_projects_project_id_nodes_node_id_start"];
  };
  "/v2/projects/{project_id}/nodes/stop": {
    /** Stop every node of a project; each is attempted, a 409 lists those that failed */
    post: operations["post_v2_projects_project_id_nodes_stop"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/stop": {
    /** Stop a node; answers with the state reached */
    post: operations["post_v2_projects_project_id_nodes_node_id_stop"];
  };
  "/v2/projects/{project_id}/nodes/suspend": {
    /** Suspend every node of a project; each is attempted, a 409 lists those that failed */
    post: operations["post_v2_projects_project_id_nodes_suspend"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/suspend": {
    /** Suspend a node; answers with the state reached */
    post: operations["post_v2_projects_project_id_nodes_node_id_suspend"];
  };
  "/v2/projects/{project_id}/nodes/reload": {
    /** Reload every node of a project; each is attempted, a 409 lists those that failed */
    post: operations["post_v2_projects_project_id_nodes_reload"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/reload": {
    /** Reload a node; answers with the state reached */
    post: operations["post_v2_projects_project_id_nodes_node_id_reload"];
  };
  "/v2/projects/{project_id}/nodes/console/reset": {
    /** Reset the console of every running node that has one */
    post: operations["post_v2_projects_project_id_nodes_console_reset"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/console/reset": {
    /** Reset the console of a node */
    post: operations["post_v2_projects_project_id_nodes_node_id_console_reset"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/console/ws": {
    /** Console of a node: raw bytes in binary frames, both ways; of one with VNC what that protocol says */
    get: operations["get_v2_projects_project_id_nodes_node_id_console_ws"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/recordings": {
    /** Recordings of a node’s console, oldest first; also of one that was deleted */
    get: operations["get_v2_projects_project_id_nodes_node_id_recordings"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/recordings/{recording_name}": {
    /** A recording, for asciinema; of one that goes on, what there is of it */
    get: operations["get_v2_projects_project_id_nodes_node_id_recordings_recording_name"];
  };
  "/v2/projects/{project_id}/configs/collect": {
    /** Read what configures nodes, and keep it as a new version where it has changed */
    post: operations["post_v2_projects_project_id_configs_collect"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/configs": {
    /** Versions of what configures a node, oldest first; also of one that was deleted */
    get: operations["get_v2_projects_project_id_nodes_node_id_configs"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/configs/{position}": {
    /** One version, and what is different in it */
    get: operations["get_v2_projects_project_id_nodes_node_id_configs_position"];
  };
  "/v2/projects/{project_id}/links": {
    /** Links of a project */
    get: operations["get_v2_projects_project_id_links"];
    /** Link two ports */
    post: operations["post_v2_projects_project_id_links"];
  };
  "/v2/projects/{project_id}/links/{link_id}": {
    /** Read a link */
    get: operations["get_v2_projects_project_id_links_link_id"];
    /** Change filters, suspension, style or labels of a link */
    put: operations["put_v2_projects_project_id_links_link_id"];
    /** Delete a link */
    delete: operations["delete_v2_projects_project_id_links_link_id"];
  };
  "/v2/projects/{project_id}/links/{link_id}/available_filters": {
    /** Filters that a link takes, with their parameters */
    get: operations["get_v2_projects_project_id_links_link_id_available_filters"];
  };
  "/v2/projects/{project_id}/links/{link_id}/traffic": {
    /** What passed on a link since it was made, and what became of the rest */
    get: operations["get_v2_projects_project_id_links_link_id_traffic"];
  };
  "/v2/projects/{project_id}/links/{link_id}/start_capture": {
    /** Start capturing the frames of a link */
    post: operations["post_v2_projects_project_id_links_link_id_start_capture"];
  };
  "/v2/projects/{project_id}/links/{link_id}/stop_capture": {
    /** Stop capturing; the file stays */
    post: operations["post_v2_projects_project_id_links_link_id_stop_capture"];
  };
  "/v2/projects/{project_id}/links/{link_id}/pcap": {
    /** Follow the capture file of a link until the capture stops */
    get: operations["get_v2_projects_project_id_links_link_id_pcap"];
  };
  "/v2/projects/{project_id}/links/{link_id}/packets": {
    /** Packets of a running capture as they come, decoded, until it stops */
    get: operations["get_v2_projects_project_id_links_link_id_packets"];
  };
  "/v2/projects/{project_id}/captures": {
    /** Capture files of a project, the newest first */
    get: operations["get_v2_projects_project_id_captures"];
  };
  "/v2/projects/{project_id}/packets": {
    /** Packets of all capture files of a project that a filter lets through, in order of time */
    get: operations["get_v2_projects_project_id_packets"];
  };
  "/v2/projects/{project_id}/captures/{capture_name}/packets": {
    /** Packets of a capture file, page by page; at most 1000 at once */
    get: operations["get_v2_projects_project_id_captures_capture_name_packets"];
  };
  "/v2/projects/{project_id}/captures/{capture_name}/packets/{packet_number}": {
    /** A packet as a tree of fields, with its octets */
    get: operations["get_v2_projects_project_id_captures_capture_name_packets_packet_number"];
  };
  "/v2/projects/{project_id}/captures/{capture_name}/packets/{packet_number}/conversation": {
    /** What both ends of a packet’s conversation say, in order */
    get: operations["get_v2_projects_project_id_captures_capture_name_packets_packet_number_conversation"];
  };
  "/v2/projects/{project_id}/captures/{capture_name}/conversations": {
    /** Who speaks with whom in a capture file, and how much */
    get: operations["get_v2_projects_project_id_captures_capture_name_conversations"];
  };
  "/v2/projects/{project_id}/captures/{capture_name}/packets/{packet_number}/journey": {
    /** On which captured links a packet was met, in order of time */
    get: operations["get_v2_projects_project_id_captures_capture_name_packets_packet_number_journey"];
  };
  "/v2/projects/{project_id}/drawings": {
    /** Drawings of a project */
    get: operations["get_v2_projects_project_id_drawings"];
    /** Create a drawing */
    post: operations["post_v2_projects_project_id_drawings"];
  };
  "/v2/projects/{project_id}/drawings/{drawing_id}": {
    /** Read a drawing */
    get: operations["get_v2_projects_project_id_drawings_drawing_id"];
    /** Change a drawing; fields not sent keep their value */
    put: operations["put_v2_projects_project_id_drawings_drawing_id"];
    /** Delete a drawing */
    delete: operations["delete_v2_projects_project_id_drawings_drawing_id"];
  };
  "/v2/projects/{project_id}/checks": {
    /** Checks of a project, and what they say */
    get: operations["get_v2_projects_project_id_checks"];
    /** Make a check; nodes by name or node_id, a link by its ends or link_id */
    post: operations["post_v2_projects_project_id_checks"];
  };
  "/v2/projects/{project_id}/checks/{check_id}": {
    /** Read a check */
    get: operations["get_v2_projects_project_id_checks_check_id"];
    /** Change a check: the whole of it */
    put: operations["put_v2_projects_project_id_checks_check_id"];
    /** Delete a check */
    delete: operations["delete_v2_projects_project_id_checks_check_id"];
  };
  "/v2/projects/{project_id}/checks/{check_id}/look": {
    /** Look at once, whenever it is looked at next: what is found is no verdict */
    post: operations["post_v2_projects_project_id_checks_check_id_look"];
  };
  "/v2/projects/{project_id}/stages": {
    /** Stages of a lab, and how far they are passed */
    get: operations["get_v2_projects_project_id_stages"];
  };
  "/v2/projects/{project_id}/results": {
    /** Signed sheet with the stages of a lab, of its forks, and of further copies */
    get: operations["get_v2_projects_project_id_results"];
  };
  "/v2/projects/{project_id}/batch": {
    /** Create, change and delete nodes, links and drawings, all or nothing */
    post: operations["post_v2_projects_project_id_batch"];
  };
  "/v2/labs/plan": {
    /** What it would take to make a lab what a text says; its ETag is for If-Match of the apply */
    post: operations["post_v2_labs_plan"];
  };
  "/v2/labs/apply": {
    /** Make a lab what a text says, as one batch; nothing happens where it is so already. If-Match: 412 where the plan is not the one that was looked at */
    post: operations["post_v2_labs_apply"];
  };
  "/v2/labs/schema": {
    /** The JSON Schema of a lab’s text in YAML, for editors */
    get: operations["get_v2_labs_schema"];
  };
  "/v2/projects/{project_id}/lab": {
    /** A lab as a text that makes it again */
    get: operations["get_v2_projects_project_id_lab"];
    /** A text in YAML with what the lab has instead of what it says; its comments and its order stay. The lab is not changed */
    post: operations["post_v2_projects_project_id_lab"];
  };
  "/v2/projects/{project_id}/events": {
    /** Events of a project, refused requests included; also of a deleted one */
    get: operations["get_v2_projects_project_id_events"];
  };
  "/v2/events": {
    /** Events of the whole server */
    get: operations["get_v2_events"];
  };
  "/v2/projects/{project_id}/diff": {
    /** What changed between two moments, object by object */
    get: operations["get_v2_projects_project_id_diff"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/history": {
    /** Events of a node, each with what caused it: who, when and why; also of a deleted one */
    get: operations["get_v2_projects_project_id_nodes_node_id_history"];
  };
  "/v2/projects/{project_id}/links/{link_id}/history": {
    /** Events of a link, each with what caused it: who, when and why; also of a deleted one */
    get: operations["get_v2_projects_project_id_links_link_id_history"];
  };
  "/v2/projects/{project_id}/drawings/{drawing_id}/history": {
    /** Events of a drawing, each with what caused it: who, when and why; also of a deleted one */
    get: operations["get_v2_projects_project_id_drawings_drawing_id_history"];
  };
  "/v2/projects/{project_id}/timeline": {
    /** What happened in a span of time, counted by lanes; one by one where it is little */
    get: operations["get_v2_projects_project_id_timeline"];
  };
  "/v2/projects/{project_id}/timeline/entries": {
    /** What happened, entry by entry, with the names of that time; pages by `offset` and `limit` */
    get: operations["get_v2_projects_project_id_timeline_entries"];
  };
  "/v2/projects/{project_id}/timeline/objects": {
    /** Nodes, links, drawings and snapshots that anything happened to, deleted ones as well, the newest first */
    get: operations["get_v2_projects_project_id_timeline_objects"];
  };
  "/v2/projects/{project_id}/why": {
    /** Why a node does not reach another: where the packet ends, and the event that made it so */
    get: operations["get_v2_projects_project_id_why"];
    /** The same, after a ping that the node really sends, by itself or at its console */
    post: operations["post_v2_projects_project_id_why"];
  };
  "/v2/projects/{project_id}/edits": {
    /** The last edits of a project, newest first, and which of them you can undo or redo */
    get: operations["get_v2_projects_project_id_edits"];
  };
  "/v2/projects/{project_id}/undo": {
    /** Take back an edit of yours */
    post: operations["post_v2_projects_project_id_undo"];
  };
  "/v2/projects/{project_id}/redo": {
    /** Make an edit again that you have undone */
    post: operations["post_v2_projects_project_id_redo"];
  };
  "/v2/projects/{project_id}/restore": {
    /** Make objects, or the lab, what they were at a moment; with plan: only say what would change */
    post: operations["post_v2_projects_project_id_restore"];
  };
  "/v2/projects/{project_id}/session": {
    /** Signed session file of a project, also of a deleted one; versions `from` to `to` of its stream */
    get: operations["get_v2_projects_project_id_session"];
  };
  "/v2/verify": {
    /** Walk every event, index and record of the log, or of one project, and name what does not fit; `files=yes`: and its files */
    get: operations["get_v2_verify"];
  };
  "/v2/projects/{project_id}/replay": {
    /** Replay a project’s recording, also of a deleted one; answers while it runs */
    post: operations["post_v2_projects_project_id_replay"];
  };
  "/v2/projects/{project_id}/replays": {
    /** Replays of a project since the server started, oldest first */
    get: operations["get_v2_projects_project_id_replays"];
  };
  "/v2/projects/{project_id}/replays/{replay_id}": {
    /** How far a replay is, and its differences from the recording once it has ended */
    get: operations["get_v2_projects_project_id_replays_replay_id"];
    /** Cancel a replay; one that has ended is forgotten */
    delete: operations["delete_v2_projects_project_id_replays_replay_id"];
  };
  "/v2/templates": {
    /** Templates that nodes can be made of */
    get: operations["get_v2_templates"];
    /** Create a template; what is left out gets the default of its kind */
    post: operations["post_v2_templates"];
  };
  "/v2/templates/{template_id}": {
    /** Read a template */
    get: operations["get_v2_templates_template_id"];
    /** Change a template; fields not sent keep their value */
    put: operations["put_v2_templates_template_id"];
    /** Delete a template; nodes made of it stay */
    delete: operations["delete_v2_templates_template_id"];
  };
  "/v2/templates/{template_id}/duplicate": {
    /** Copy a template, under a name of its own */
    post: operations["post_v2_templates_template_id_duplicate"];
  };
  "/v2/projects/{project_id}/templates/{template_id}": {
    /** Create a node from a template; its name is made unique */
    post: operations["post_v2_projects_project_id_templates_template_id"];
  };
  "/v2/symbols": {
    /** Symbols that nodes can have */
    get: operations["get_v2_symbols"];
  };
  "/v2/default_symbols": {
    /** Symbols of each theme, by what they are for */
    get: operations["get_v2_default_symbols"];
  };
  "/v2/symbols/{symbol_id}/dimensions": {
    /** Size of a symbol in pixels */
    get: operations["get_v2_symbols_symbol_id_dimensions"];
  };
  "/v2/symbols/{symbol_id}/raw": {
    /** The picture of a symbol; the computer for one that is not there */
    get: operations["get_v2_symbols_symbol_id_raw"];
    /** Store a picture (SVG, PNG, GIF or JPEG) under the last part of its name */
    post: operations["post_v2_symbols_symbol_id_raw"];
  };
  "/v2/catalogue/images": {
    /** Images of this server of every kind, and which nodes and templates need them */
    get: operations["get_v2_catalogue_images"];
  };
  "/v2/catalogue/images/{emulator}/{filename}": {
    /** Delete an image that no node and no template needs */
    delete: operations["delete_v2_catalogue_images_emulator_filename"];
  };
  "/v2/catalogue/symbols": {
    /** Symbols that people have stored, and which nodes and templates have them */
    get: operations["get_v2_catalogue_symbols"];
  };
  "/v2/catalogue/symbols/{symbol_id}": {
    /** Delete a stored symbol that no node and no template has */
    delete: operations["delete_v2_catalogue_symbols_symbol_id"];
  };
  "/v2/catalogue/appliances": {
    /** Read an appliance file (.gns3a): its versions, which images are there, and the templates that they make */
    post: operations["post_v2_catalogue_appliances"];
  };
  "/v2/iou_license": {
    /** Licence that images are started with when a start brings none */
    get: operations["get_v2_iou_license"];
    /** Change that licence; fields not sent keep their value */
    put: operations["put_v2_iou_license"];
  };
  "/v2/appliances": {
    /** Appliances that templates can be made of: none */
    get: operations["get_v2_appliances"];
  };
  "/v2/gns3vm": {
    /** Settings of the helper machine: it is off, as this server has none */
    get: operations["get_v2_gns3vm"];
    /** Settings of the helper machine may be sent as long as it stays off: this server has none */
    put: operations["put_v2_gns3vm"];
  };
  "/v2/gns3vm/engines": {
    /** Where a helper machine could be, to be shown in a list; there is none */
    get: operations["get_v2_gns3vm_engines"];
  };
  "/v2/gns3vm/engines/{engine}/vms": {
    /** Machines that could be the helper: none */
    get: operations["get_v2_gns3vm_engines_engine_vms"];
  };
  "/v2/notifications": {
    /** What happens to projects, templates and computes, a line each */
    get: operations["get_v2_notifications"];
  };
  "/v2/projects/{project_id}/notifications": {
    /** What happens in a project, a line each; with auto_close it closes after the last listener has left */
    get: operations["get_v2_projects_project_id_notifications"];
  };
  "/v2/notifications/ws": {
    /** What happens to projects, templates and computes */
    get: operations["get_v2_notifications_ws"];
  };
  "/v2/projects/{project_id}/notifications/ws": {
    /** What happens in a project; with auto_close it closes after the last listener has left */
    get: operations["get_v2_projects_project_id_notifications_ws"];
  };
  "/v2/compute/notifications/ws": {
    /** What happens to the nodes of every project, in the records of the compute group */
    get: operations["get_v2_compute_notifications_ws"];
  };
  "/v2/projects/{project_id}/wait": {
    /** Wait until nodes are in a state; 408 says which are not, 409 which could not be started */
    get: operations["get_v2_projects_project_id_wait"];
  };
  "/v2/projects/{project_id}/duplicate": {
    /** A new, closed project with everything that this one has, files included */
    post: operations["post_v2_projects_project_id_duplicate"];
  };
  "/v2/projects/{project_id}/export": {
    /** The project as a portable archive */
    get: operations["get_v2_projects_project_id_export"];
  };
  "/v2/projects/{project_id}/import": {
    /** A new, closed project of a portable archive, raw or as the field `file` of a form */
    post: operations["post_v2_projects_project_id_import"];
  };
  "/v2/projects/{project_id}/snapshots": {
    /** Snapshots of a project, oldest first */
    get: operations["get_v2_projects_project_id_snapshots"];
    /** Keep the lab as it is, records and files */
    post: operations["post_v2_projects_project_id_snapshots"];
  };
  "/v2/projects/{project_id}/snapshots/{snapshot_id}": {
    /** Delete a snapshot and its files */
    delete: operations["delete_v2_projects_project_id_snapshots_snapshot_id"];
  };
  "/v2/projects/{project_id}/snapshots/{snapshot_id}/restore": {
    /** Make the lab what it was, ids included; every node is stopped */
    post: operations["post_v2_projects_project_id_snapshots_snapshot_id_restore"];
  };
  "/v2/projects/{project_id}/weather": {
    /** The weather of a project: whether it is on, what it does, and all that is to happen */
    get: operations["get_v2_projects_project_id_weather"];
    /** Say all that is to happen; what is on goes on with it */
    put: operations["put_v2_projects_project_id_weather"];
    /** Let one thing more happen */
    post: operations["post_v2_projects_project_id_weather"];
  };
  "/v2/projects/{project_id}/weather/{weather_id}": {
    /** Read one thing that is to happen */
    get: operations["get_v2_projects_project_id_weather_weather_id"];
    /** Let something else happen in its place */
    put: operations["put_v2_projects_project_id_weather_weather_id"];
    /** Let it not happen */
    delete: operations["delete_v2_projects_project_id_weather_weather_id"];
  };
  "/v2/projects/{project_id}/weather/start": {
    /** Start the weather of an open project, at its time 0 */
    post: operations["post_v2_projects_project_id_weather_start"];
  };
  "/v2/projects/{project_id}/weather/skip": {
    /** Go on to a time, to a storm, or to the next change; what lies between does not happen */
    post: operations["post_v2_projects_project_id_weather_skip"];
  };
  "/v2/projects/{project_id}/weather/pause": {
    /** Stop the time of the weather; what is there stays */
    post: operations["post_v2_projects_project_id_weather_pause"];
  };
  "/v2/projects/{project_id}/weather/resume": {
    /** Let the time of the weather go on */
    post: operations["post_v2_projects_project_id_weather_resume"];
  };
  "/v2/projects/{project_id}/weather/end": {
    /** End the weather: links have their own filters again, and its nodes start */
    post: operations["post_v2_projects_project_id_weather_end"];
  };
  "/v2/projects/{project_id}/files/{path}": {
    /** Read a file of a project; if_missing=empty: one that is not there is empty */
    get: operations["get_v2_projects_project_id_files_path"];
    /** Write a file of a project, as a whole */
    post: operations["post_v2_projects_project_id_files_path"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/files/{path}": {
    /** Read a file of a node; if_missing=empty: one that is not there is empty */
    get: operations["get_v2_projects_project_id_nodes_node_id_files_path"];
    /** Write a file of a node, as a whole; its next start reads it */
    post: operations["post_v2_projects_project_id_nodes_node_id_files_path"];
  };
  "/v2/statistics": {
    /** How busy each compute is */
    get: operations["get_v2_statistics"];
  };
  "/v2/reload": {
    /** Open every project that is to be open; settings are those of the start */
    post: operations["post_v2_reload"];
  };
  "/v2/handover": {
    /** Let another server of the cell write; answered when this one does not any more */
    post: operations["post_v2_handover"];
  };
  "/v2/shutdown": {
    /** End the server cleanly, as a signal does */
    post: operations["post_v2_shutdown"];
  };
  "/v2/debug": {
    /** Write a text for those who look for a fault into debug/ of the data directory */
    post: operations["post_v2_debug"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/resize_disk": {
    /** Grow a disk by a number of megabytes; the machine must be stopped (machine_emulator only) */
    post: operations["post_v2_projects_project_id_nodes_node_id_resize_disk"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/router_emulator/auto_idlepc": {
    /** Find an idle-PC value that works (router_emulator only) */
    get: operations["get_v2_projects_project_id_nodes_node_id_router_emulator_auto_idlepc"];
  };
  "/v2/projects/{project_id}/nodes/{node_id}/router_emulator/idlepc_proposals": {
    /** Idle-PC values that may work, the best first (router_emulator only) */
    get: operations["get_v2_projects_project_id_nodes_node_id_router_emulator_idlepc_proposals"];
  };
  "/v2/computes/{compute_id}/{emulator}/images": {
    /** Images that a compute has for a kind */
    get: operations["get_v2_computes_compute_id_emulator_images"];
  };
  "/v2/computes/{compute_id}/{emulator}/{action}": {
    /** Ask a compute */
    get: operations["get_v2_computes_compute_id_emulator_action"];
    /** Have a compute change something */
    put: operations["put_v2_computes_compute_id_emulator_action"];
    /** Have a compute do something, e.g. take an image */
    post: operations["post_v2_computes_compute_id_emulator_action"];
  };
  "/v2/compute/capabilities": {
    /** What this machine can run: every engine of every kind, and what a missing one needs */
    get: operations["get_v2_compute_capabilities"];
  };
  "/v2/compute/network/interfaces": {
    /** Network interfaces of this machine; special ones belong to bridges and hypervisors */
    get: operations["get_v2_compute_network_interfaces"];
  };
  "/v2/compute/network/ports": {
    /** Ports that consoles and NIOs may take, and those that they have */
    get: operations["get_v2_compute_network_ports"];
  };
  "/v2/compute/statistics": {
    /** How busy this machine is */
    get: operations["get_v2_compute_statistics"];
  };
  "/v2/compute/debug": {
    /** A text about this server for those who look for a fault; no secrets are in it */
    get: operations["get_v2_compute_debug"];
  };
  "/v2/compute/controller": {
    /** The controller that has this compute */
    get: operations["get_v2_compute_controller"];
    /** Have this compute as a controller; one that another has is taken over only with `take` */
    put: operations["put_v2_compute_controller"];
    /** Give this compute up, as the controller that has it */
    delete: operations["delete_v2_compute_controller"];
  };
  "/v2/compute/projects": {
    /** Every project */
    get: operations["get_v2_compute_projects"];
    /** Create a project; one that exists is answered as it is (asked by a controller: opened), a name that is taken gets a number */
    post: operations["post_v2_compute_projects"];
  };
  "/v2/compute/projects/{project_id}": {
    /** Read a project */
    get: operations["get_v2_compute_projects_project_id"];
    /** Change the variables of a project */
    put: operations["put_v2_compute_projects_project_id"];
    /** Delete a project with its directory */
    delete: operations["delete_v2_compute_projects_project_id"];
  };
  "/v2/compute/projects/{project_id}/close": {
    /** Stop every node of a project and close it */
    post: operations["post_v2_compute_projects_project_id_close"];
  };
  "/v2/compute/projects/{project_id}/ports/udp": {
    /** Reserve a free UDP port for a NIO */
    post: operations["post_v2_compute_projects_project_id_ports_udp"];
  };
  "/v2/compute/projects/{project_id}/nodes": {
    /** Nodes of a project, of every kind */
    get: operations["get_v2_compute_projects_project_id_nodes"];
  };
  "/v2/compute/projects/{project_id}/files": {
    /** Files of a project with their MD5 sums */
    get: operations["get_v2_compute_projects_project_id_files"];
  };
  "/v2/compute/projects/{project_id}/files/{path}": {
    /** Read a file of a project; if_missing=empty: one that is not there is empty */
    get: operations["get_v2_compute_projects_project_id_files_path"];
    /** Write a file of a project, as a whole */
    post: operations["post_v2_compute_projects_project_id_files_path"];
  };
  "/v2/compute/projects/{project_id}/simple_pc/nodes": {
    /** Create a simple_pc node */
    post: operations["post_v2_compute_projects_project_id_simple_pc_nodes"];
  };
  "/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}": {
    /** Read a simple_pc node */
    get: operations["get_v2_compute_projects_project_id_simple_pc_nodes_node_id"];
    /** Change a simple_pc node; fields not sent keep their value */
    put: operations["put_v2_compute_projects_project_id_simple_pc_nodes_node_id"];
    /** Delete a simple_pc node with its files */
    delete: operations["delete_v2_compute_projects_project_id_simple_pc_nodes_node_id"];
  };
  "/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}/start": {
    /** Start a simple_pc node */
    post: operations["post_v2_compute_projects_project_id_simple_pc_nodes_node_id_start"];
  };
  "/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}/stop": {
    /** Stop a simple_pc node */
    post: operations["post_v2_compute_projects_project_id_simple_pc_nodes_node_id_stop"];
  };
  "/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}/suspend": {
    /** Suspend a simple_pc node */
    post: operations["post_v2_compute_projects_project_id_simple_pc_nodes_node_id_suspend"];
  };
  "/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}/reload": {
    /** Reload a simple_pc node */
    post: operations["post_v2_compute_projects_project_id_simple_pc_nodes_node_id_reload"];
  };
  "/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}/resume": {
    /** Resume a simple_pc node */
    post: operations["post_v2_compute_projects_project_id_simple_pc_nodes_node_id_resume"];
  };
  "/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}/pause": {
    /** Pause a simple_pc node */
    post: operations["post_v2_compute_projects_project_id_simple_pc_nodes_node_id_pause"];
  };
  "/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}/unpause": {
    /** Unpause a simple_pc node */
    post: operations["post_v2_compute_projects_project_id_simple_pc_nodes_node_id_unpause"];
  };
  "/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}/console/ws": {
    /** Console of a simple_pc node: raw bytes in binary frames, both ways */
    get: operations["get_v2_compute_projects_project_id_simple_pc_nodes_node_id_console_ws"];
  };
  "/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}/console/reset": {
    /** Reset the console of a simple_pc node */
    post: operations["post_v2_compute_projects_project_id_simple_pc_nodes_node_id_console_reset"];
  };
  "/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio": {
    /** Change filters or suspension of a NIO of a simple_pc node */
    put: operations["put_v2_compute_projects_project_id_simple_pc_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Attach a NIO to a port of a simple_pc node */
    post: operations["post_v2_compute_projects_project_id_simple_pc_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Detach the NIO from a port of a simple_pc node */
    delete: operations["delete_v2_compute_projects_project_id_simple_pc_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
  };
  "/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/start_capture": {
    /** Start capturing on a port of a simple_pc node */
    post: operations["post_v2_compute_projects_project_id_simple_pc_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture"];
  };
  "/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/stop_capture": {
    /** Stop capturing on a port of a simple_pc node; the file stays */
    post: operations["post_v2_compute_projects_project_id_simple_pc_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture"];
  };
  "/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/pcap": {
    /** Follow the capture file of a port of a simple_pc node until the capture stops */
    get: operations["get_v2_compute_projects_project_id_simple_pc_nodes_node_id_adapters_adapter_number_ports_port_number_pcap"];
  };
  "/v2/compute/projects/{project_id}/ethernet_switch/nodes": {
    /** Create a ethernet_switch node */
    post: operations["post_v2_compute_projects_project_id_ethernet_switch_nodes"];
  };
  "/v2/compute/projects/{project_id}/ethernet_switch/nodes/{node_id}": {
    /** Read a ethernet_switch node */
    get: operations["get_v2_compute_projects_project_id_ethernet_switch_nodes_node_id"];
    /** Change a ethernet_switch node; fields not sent keep their value */
    put: operations["put_v2_compute_projects_project_id_ethernet_switch_nodes_node_id"];
    /** Delete a ethernet_switch node with its files */
    delete: operations["delete_v2_compute_projects_project_id_ethernet_switch_nodes_node_id"];
  };
  "/v2/compute/projects/{project_id}/ethernet_switch/nodes/{node_id}/start": {
    /** Start a ethernet_switch node */
    post: operations["post_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_start"];
  };
  "/v2/compute/projects/{project_id}/ethernet_switch/nodes/{node_id}/stop": {
    /** Stop a ethernet_switch node */
    post: operations["post_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_stop"];
  };
  "/v2/compute/projects/{project_id}/ethernet_switch/nodes/{node_id}/suspend": {
    /** Suspend a ethernet_switch node */
    post: operations["post_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_suspend"];
  };
  "/v2/compute/projects/{project_id}/ethernet_switch/nodes/{node_id}/console/ws": {
    /** Console of a ethernet_switch node: raw bytes in binary frames, both ways */
    get: operations["get_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_console_ws"];
  };
  "/v2/compute/projects/{project_id}/ethernet_switch/nodes/{node_id}/console/reset": {
    /** Reset the console of a ethernet_switch node */
    post: operations["post_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_console_reset"];
  };
  "/v2/compute/projects/{project_id}/ethernet_switch/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio": {
    /** Attach a NIO to a port of a ethernet_switch node */
    post: operations["post_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Detach the NIO from a port of a ethernet_switch node */
    delete: operations["delete_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
  };
  "/v2/compute/projects/{project_id}/ethernet_switch/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/start_capture": {
    /** Start capturing on a port of a ethernet_switch node */
    post: operations["post_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture"];
  };
  "/v2/compute/projects/{project_id}/ethernet_switch/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/stop_capture": {
    /** Stop capturing on a port of a ethernet_switch node; the file stays */
    post: operations["post_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture"];
  };
  "/v2/compute/projects/{project_id}/ethernet_switch/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/pcap": {
    /** Follow the capture file of a port of a ethernet_switch node until the capture stops */
    get: operations["get_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_adapters_adapter_number_ports_port_number_pcap"];
  };
  "/v2/compute/projects/{project_id}/ethernet_hub/nodes": {
    /** Create a ethernet_hub node */
    post: operations["post_v2_compute_projects_project_id_ethernet_hub_nodes"];
  };
  "/v2/compute/projects/{project_id}/ethernet_hub/nodes/{node_id}": {
    /** Read a ethernet_hub node */
    get: operations["get_v2_compute_projects_project_id_ethernet_hub_nodes_node_id"];
    /** Change a ethernet_hub node; fields not sent keep their value */
    put: operations["put_v2_compute_projects_project_id_ethernet_hub_nodes_node_id"];
    /** Delete a ethernet_hub node with its files */
    delete: operations["delete_v2_compute_projects_project_id_ethernet_hub_nodes_node_id"];
  };
  "/v2/compute/projects/{project_id}/ethernet_hub/nodes/{node_id}/start": {
    /** Start a ethernet_hub node */
    post: operations["post_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_start"];
  };
  "/v2/compute/projects/{project_id}/ethernet_hub/nodes/{node_id}/stop": {
    /** Stop a ethernet_hub node */
    post: operations["post_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_stop"];
  };
  "/v2/compute/projects/{project_id}/ethernet_hub/nodes/{node_id}/suspend": {
    /** Suspend a ethernet_hub node */
    post: operations["post_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_suspend"];
  };
  "/v2/compute/projects/{project_id}/ethernet_hub/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio": {
    /** Attach a NIO to a port of a ethernet_hub node */
    post: operations["post_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Detach the NIO from a port of a ethernet_hub node */
    delete: operations["delete_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
  };
  "/v2/compute/projects/{project_id}/ethernet_hub/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/start_capture": {
    /** Start capturing on a port of a ethernet_hub node */
    post: operations["post_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture"];
  };
  "/v2/compute/projects/{project_id}/ethernet_hub/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/stop_capture": {
    /** Stop capturing on a port of a ethernet_hub node; the file stays */
    post: operations["post_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture"];
  };
  "/v2/compute/projects/{project_id}/ethernet_hub/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/pcap": {
    /** Follow the capture file of a port of a ethernet_hub node until the capture stops */
    get: operations["get_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_adapters_adapter_number_ports_port_number_pcap"];
  };
  "/v2/compute/projects/{project_id}/frame_relay_switch/nodes": {
    /** Create a frame_relay_switch node */
    post: operations["post_v2_compute_projects_project_id_frame_relay_switch_nodes"];
  };
  "/v2/compute/projects/{project_id}/frame_relay_switch/nodes/{node_id}": {
    /** Read a frame_relay_switch node */
    get: operations["get_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id"];
    /** Change a frame_relay_switch node; fields not sent keep their value */
    put: operations["put_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id"];
    /** Delete a frame_relay_switch node with its files */
    delete: operations["delete_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id"];
  };
  "/v2/compute/projects/{project_id}/frame_relay_switch/nodes/{node_id}/start": {
    /** Start a frame_relay_switch node */
    post: operations["post_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_start"];
  };
  "/v2/compute/projects/{project_id}/frame_relay_switch/nodes/{node_id}/stop": {
    /** Stop a frame_relay_switch node */
    post: operations["post_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_stop"];
  };
  "/v2/compute/projects/{project_id}/frame_relay_switch/nodes/{node_id}/suspend": {
    /** Suspend a frame_relay_switch node */
    post: operations["post_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_suspend"];
  };
  "/v2/compute/projects/{project_id}/frame_relay_switch/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio": {
    /** Attach a NIO to a port of a frame_relay_switch node */
    post: operations["post_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Detach the NIO from a port of a frame_relay_switch node */
    delete: operations["delete_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
  };
  "/v2/compute/projects/{project_id}/frame_relay_switch/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/start_capture": {
    /** Start capturing on a port of a frame_relay_switch node */
    post: operations["post_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture"];
  };
  "/v2/compute/projects/{project_id}/frame_relay_switch/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/stop_capture": {
    /** Stop capturing on a port of a frame_relay_switch node; the file stays */
    post: operations["post_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture"];
  };
  "/v2/compute/projects/{project_id}/frame_relay_switch/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/pcap": {
    /** Follow the capture file of a port of a frame_relay_switch node until the capture stops */
    get: operations["get_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_adapters_adapter_number_ports_port_number_pcap"];
  };
  "/v2/compute/projects/{project_id}/atm_switch/nodes": {
    /** Create a atm_switch node */
    post: operations["post_v2_compute_projects_project_id_atm_switch_nodes"];
  };
  "/v2/compute/projects/{project_id}/atm_switch/nodes/{node_id}": {
    /** Read a atm_switch node */
    get: operations["get_v2_compute_projects_project_id_atm_switch_nodes_node_id"];
    /** Change a atm_switch node; fields not sent keep their value */
    put: operations["put_v2_compute_projects_project_id_atm_switch_nodes_node_id"];
    /** Delete a atm_switch node with its files */
    delete: operations["delete_v2_compute_projects_project_id_atm_switch_nodes_node_id"];
  };
  "/v2/compute/projects/{project_id}/atm_switch/nodes/{node_id}/start": {
    /** Start a atm_switch node */
    post: operations["post_v2_compute_projects_project_id_atm_switch_nodes_node_id_start"];
  };
  "/v2/compute/projects/{project_id}/atm_switch/nodes/{node_id}/stop": {
    /** Stop a atm_switch node */
    post: operations["post_v2_compute_projects_project_id_atm_switch_nodes_node_id_stop"];
  };
  "/v2/compute/projects/{project_id}/atm_switch/nodes/{node_id}/suspend": {
    /** Suspend a atm_switch node */
    post: operations["post_v2_compute_projects_project_id_atm_switch_nodes_node_id_suspend"];
  };
  "/v2/compute/projects/{project_id}/atm_switch/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio": {
    /** Attach a NIO to a port of a atm_switch node */
    post: operations["post_v2_compute_projects_project_id_atm_switch_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Detach the NIO from a port of a atm_switch node */
    delete: operations["delete_v2_compute_projects_project_id_atm_switch_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
  };
  "/v2/compute/projects/{project_id}/atm_switch/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/start_capture": {
    /** Start capturing on a port of a atm_switch node */
    post: operations["post_v2_compute_projects_project_id_atm_switch_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture"];
  };
  "/v2/compute/projects/{project_id}/atm_switch/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/stop_capture": {
    /** Stop capturing on a port of a atm_switch node; the file stays */
    post: operations["post_v2_compute_projects_project_id_atm_switch_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture"];
  };
  "/v2/compute/projects/{project_id}/atm_switch/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/pcap": {
    /** Follow the capture file of a port of a atm_switch node until the capture stops */
    get: operations["get_v2_compute_projects_project_id_atm_switch_nodes_node_id_adapters_adapter_number_ports_port_number_pcap"];
  };
  "/v2/compute/projects/{project_id}/trace_tool/nodes": {
    /** Create a trace_tool node */
    post: operations["post_v2_compute_projects_project_id_trace_tool_nodes"];
  };
  "/v2/compute/projects/{project_id}/trace_tool/nodes/{node_id}": {
    /** Read a trace_tool node */
    get: operations["get_v2_compute_projects_project_id_trace_tool_nodes_node_id"];
    /** Change a trace_tool node; fields not sent keep their value */
    put: operations["put_v2_compute_projects_project_id_trace_tool_nodes_node_id"];
    /** Delete a trace_tool node with its files */
    delete: operations["delete_v2_compute_projects_project_id_trace_tool_nodes_node_id"];
  };
  "/v2/compute/projects/{project_id}/trace_tool/nodes/{node_id}/start": {
    /** Start a trace_tool node */
    post: operations["post_v2_compute_projects_project_id_trace_tool_nodes_node_id_start"];
  };
  "/v2/compute/projects/{project_id}/trace_tool/nodes/{node_id}/stop": {
    /** Stop a trace_tool node */
    post: operations["post_v2_compute_projects_project_id_trace_tool_nodes_node_id_stop"];
  };
  "/v2/compute/projects/{project_id}/trace_tool/nodes/{node_id}/suspend": {
    /** Suspend a trace_tool node */
    post: operations["post_v2_compute_projects_project_id_trace_tool_nodes_node_id_suspend"];
  };
  "/v2/compute/projects/{project_id}/trace_tool/nodes/{node_id}/reload": {
    /** Reload a trace_tool node */
    post: operations["post_v2_compute_projects_project_id_trace_tool_nodes_node_id_reload"];
  };
  "/v2/compute/projects/{project_id}/trace_tool/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio": {
    /** Change filters or suspension of a NIO of a trace_tool node */
    put: operations["put_v2_compute_projects_project_id_trace_tool_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Attach a NIO to a port of a trace_tool node */
    post: operations["post_v2_compute_projects_project_id_trace_tool_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Detach the NIO from a port of a trace_tool node */
    delete: operations["delete_v2_compute_projects_project_id_trace_tool_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
  };
  "/v2/compute/projects/{project_id}/trace_tool/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/start_capture": {
    /** Start capturing on a port of a trace_tool node */
    post: operations["post_v2_compute_projects_project_id_trace_tool_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture"];
  };
  "/v2/compute/projects/{project_id}/trace_tool/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/stop_capture": {
    /** Stop capturing on a port of a trace_tool node; the file stays */
    post: operations["post_v2_compute_projects_project_id_trace_tool_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture"];
  };
  "/v2/compute/projects/{project_id}/trace_tool/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/pcap": {
    /** Follow the capture file of a port of a trace_tool node until the capture stops */
    get: operations["get_v2_compute_projects_project_id_trace_tool_nodes_node_id_adapters_adapter_number_ports_port_number_pcap"];
  };
  "/v2/compute/projects/{project_id}/nat/nodes": {
    /** Create a nat node */
    post: operations["post_v2_compute_projects_project_id_nat_nodes"];
  };
  "/v2/compute/projects/{project_id}/nat/nodes/{node_id}": {
    /** Read a nat node */
    get: operations["get_v2_compute_projects_project_id_nat_nodes_node_id"];
    /** Change a nat node; fields not sent keep their value */
    put: operations["put_v2_compute_projects_project_id_nat_nodes_node_id"];
    /** Delete a nat node with its files */
    delete: operations["delete_v2_compute_projects_project_id_nat_nodes_node_id"];
  };
  "/v2/compute/projects/{project_id}/nat/nodes/{node_id}/start": {
    /** Start a nat node */
    post: operations["post_v2_compute_projects_project_id_nat_nodes_node_id_start"];
  };
  "/v2/compute/projects/{project_id}/nat/nodes/{node_id}/stop": {
    /** Stop a nat node */
    post: operations["post_v2_compute_projects_project_id_nat_nodes_node_id_stop"];
  };
  "/v2/compute/projects/{project_id}/nat/nodes/{node_id}/suspend": {
    /** Suspend a nat node */
    post: operations["post_v2_compute_projects_project_id_nat_nodes_node_id_suspend"];
  };
  "/v2/compute/projects/{project_id}/nat/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio": {
    /** Change filters or suspension of a NIO of a nat node */
    put: operations["put_v2_compute_projects_project_id_nat_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Attach a NIO to a port of a nat node */
    post: operations["post_v2_compute_projects_project_id_nat_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Detach the NIO from a port of a nat node */
    delete: operations["delete_v2_compute_projects_project_id_nat_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
  };
  "/v2/compute/projects/{project_id}/nat/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/start_capture": {
    /** Start capturing on a port of a nat node */
    post: operations["post_v2_compute_projects_project_id_nat_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture"];
  };
  "/v2/compute/projects/{project_id}/nat/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/stop_capture": {
    /** Stop capturing on a port of a nat node; the file stays */
    post: operations["post_v2_compute_projects_project_id_nat_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture"];
  };
  "/v2/compute/projects/{project_id}/nat/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/pcap": {
    /** Follow the capture file of a port of a nat node until the capture stops */
    get: operations["get_v2_compute_projects_project_id_nat_nodes_node_id_adapters_adapter_number_ports_port_number_pcap"];
  };
  "/v2/compute/projects/{project_id}/cloud/nodes": {
    /** Create a cloud node */
    post: operations["post_v2_compute_projects_project_id_cloud_nodes"];
  };
  "/v2/compute/projects/{project_id}/cloud/nodes/{node_id}": {
    /** Read a cloud node */
    get: operations["get_v2_compute_projects_project_id_cloud_nodes_node_id"];
    /** Change a cloud node; fields not sent keep their value */
    put: operations["put_v2_compute_projects_project_id_cloud_nodes_node_id"];
    /** Delete a cloud node with its files */
    delete: operations["delete_v2_compute_projects_project_id_cloud_nodes_node_id"];
  };
  "/v2/compute/projects/{project_id}/cloud/nodes/{node_id}/start": {
    /** Start a cloud node */
    post: operations["post_v2_compute_projects_project_id_cloud_nodes_node_id_start"];
  };
  "/v2/compute/projects/{project_id}/cloud/nodes/{node_id}/stop": {
    /** Stop a cloud node */
    post: operations["post_v2_compute_projects_project_id_cloud_nodes_node_id_stop"];
  };
  "/v2/compute/projects/{project_id}/cloud/nodes/{node_id}/suspend": {
    /** Suspend a cloud node */
    post: operations["post_v2_compute_projects_project_id_cloud_nodes_node_id_suspend"];
  };
  "/v2/compute/projects/{project_id}/cloud/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio": {
    /** Change filters or suspension of a NIO of a cloud node */
    put: operations["put_v2_compute_projects_project_id_cloud_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Attach a NIO to a port of a cloud node */
    post: operations["post_v2_compute_projects_project_id_cloud_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Detach the NIO from a port of a cloud node */
    delete: operations["delete_v2_compute_projects_project_id_cloud_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
  };
  "/v2/compute/projects/{project_id}/cloud/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/start_capture": {
    /** Start capturing on a port of a cloud node */
    post: operations["post_v2_compute_projects_project_id_cloud_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture"];
  };
  "/v2/compute/projects/{project_id}/cloud/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/stop_capture": {
    /** Stop capturing on a port of a cloud node; the file stays */
    post: operations["post_v2_compute_projects_project_id_cloud_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture"];
  };
  "/v2/compute/projects/{project_id}/cloud/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/pcap": {
    /** Follow the capture file of a port of a cloud node until the capture stops */
    get: operations["get_v2_compute_projects_project_id_cloud_nodes_node_id_adapters_adapter_number_ports_port_number_pcap"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes": {
    /** Create a machine_emulator node */
    post: operations["post_v2_compute_projects_project_id_machine_emulator_nodes"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}": {
    /** Read a machine_emulator node */
    get: operations["get_v2_compute_projects_project_id_machine_emulator_nodes_node_id"];
    /** Change a machine_emulator node; fields not sent keep their value */
    put: operations["put_v2_compute_projects_project_id_machine_emulator_nodes_node_id"];
    /** Delete a machine_emulator node with its files */
    delete: operations["delete_v2_compute_projects_project_id_machine_emulator_nodes_node_id"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}/start": {
    /** Start a machine_emulator node */
    post: operations["post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_start"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}/stop": {
    /** Stop a machine_emulator node */
    post: operations["post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_stop"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}/suspend": {
    /** Suspend a machine_emulator node */
    post: operations["post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_suspend"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}/reload": {
    /** Reload a machine_emulator node */
    post: operations["post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_reload"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}/resume": {
    /** Resume a machine_emulator node */
    post: operations["post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_resume"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}/pause": {
    /** Pause a machine_emulator node */
    post: operations["post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_pause"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}/unpause": {
    /** Unpause a machine_emulator node */
    post: operations["post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_unpause"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}/console/ws": {
    /** Console of a machine_emulator node: raw bytes in binary frames, both ways */
    get: operations["get_v2_compute_projects_project_id_machine_emulator_nodes_node_id_console_ws"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}/console/reset": {
    /** Reset the console of a machine_emulator node */
    post: operations["post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_console_reset"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio": {
    /** Change filters or suspension of a NIO of a machine_emulator node */
    put: operations["put_v2_compute_projects_project_id_machine_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Attach a NIO to a port of a machine_emulator node */
    post: operations["post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Detach the NIO from a port of a machine_emulator node */
    delete: operations["delete_v2_compute_projects_project_id_machine_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/start_capture": {
    /** Start capturing on a port of a machine_emulator node */
    post: operations["post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/stop_capture": {
    /** Stop capturing on a port of a machine_emulator node; the file stays */
    post: operations["post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/pcap": {
    /** Follow the capture file of a port of a machine_emulator node until the capture stops */
    get: operations["get_v2_compute_projects_project_id_machine_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_pcap"];
  };
  "/v2/compute/projects/{project_id}/container/nodes": {
    /** Create a container node */
    post: operations["post_v2_compute_projects_project_id_container_nodes"];
  };
  "/v2/compute/projects/{project_id}/container/nodes/{node_id}": {
    /** Read a container node */
    get: operations["get_v2_compute_projects_project_id_container_nodes_node_id"];
    /** Change a container node; fields not sent keep their value */
    put: operations["put_v2_compute_projects_project_id_container_nodes_node_id"];
    /** Delete a container node with its files */
    delete: operations["delete_v2_compute_projects_project_id_container_nodes_node_id"];
  };
  "/v2/compute/projects/{project_id}/container/nodes/{node_id}/start": {
    /** Start a container node */
    post: operations["post_v2_compute_projects_project_id_container_nodes_node_id_start"];
  };
  "/v2/compute/projects/{project_id}/container/nodes/{node_id}/stop": {
    /** Stop a container node */
    post: operations["post_v2_compute_projects_project_id_container_nodes_node_id_stop"];
  };
  "/v2/compute/projects/{project_id}/container/nodes/{node_id}/suspend": {
    /** Suspend a container node */
    post: operations["post_v2_compute_projects_project_id_container_nodes_node_id_suspend"];
  };
  "/v2/compute/projects/{project_id}/container/nodes/{node_id}/reload": {
    /** Reload a container node */
    post: operations["post_v2_compute_projects_project_id_container_nodes_node_id_reload"];
  };
  "/v2/compute/projects/{project_id}/container/nodes/{node_id}/resume": {
    /** Resume a container node */
    post: operations["post_v2_compute_projects_project_id_container_nodes_node_id_resume"];
  };
  "/v2/compute/projects/{project_id}/container/nodes/{node_id}/pause": {
    /** Pause a container node */
    post: operations["post_v2_compute_projects_project_id_container_nodes_node_id_pause"];
  };
  "/v2/compute/projects/{project_id}/container/nodes/{node_id}/unpause": {
    /** Unpause a container node */
    post: operations["post_v2_compute_projects_project_id_container_nodes_node_id_unpause"];
  };
  "/v2/compute/projects/{project_id}/container/nodes/{node_id}/console/ws": {
    /** Console of a container node: raw bytes in binary frames, both ways */
    get: operations["get_v2_compute_projects_project_id_container_nodes_node_id_console_ws"];
  };
  "/v2/compute/projects/{project_id}/container/nodes/{node_id}/console/reset": {
    /** Reset the console of a container node */
    post: operations["post_v2_compute_projects_project_id_container_nodes_node_id_console_reset"];
  };
  "/v2/compute/projects/{project_id}/container/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio": {
    /** Change filters or suspension of a NIO of a container node */
    put: operations["put_v2_compute_projects_project_id_container_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Attach a NIO to a port of a container node */
    post: operations["post_v2_compute_projects_project_id_container_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Detach the NIO from a port of a container node */
    delete: operations["delete_v2_compute_projects_project_id_container_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
  };
  "/v2/compute/projects/{project_id}/container/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/start_capture": {
    /** Start capturing on a port of a container node */
    post: operations["post_v2_compute_projects_project_id_container_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture"];
  };
  "/v2/compute/projects/{project_id}/container/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/stop_capture": {
    /** Stop capturing on a port of a container node; the file stays */
    post: operations["post_v2_compute_projects_project_id_container_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture"];
  };
  "/v2/compute/projects/{project_id}/container/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/pcap": {
    /** Follow the capture file of a port of a container node until the capture stops */
    get: operations["get_v2_compute_projects_project_id_container_nodes_node_id_adapters_adapter_number_ports_port_number_pcap"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes": {
    /** Create a router_emulator node */
    post: operations["post_v2_compute_projects_project_id_router_emulator_nodes"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}": {
    /** Read a router_emulator node */
    get: operations["get_v2_compute_projects_project_id_router_emulator_nodes_node_id"];
    /** Change a router_emulator node; fields not sent keep their value */
    put: operations["put_v2_compute_projects_project_id_router_emulator_nodes_node_id"];
    /** Delete a router_emulator node with its files */
    delete: operations["delete_v2_compute_projects_project_id_router_emulator_nodes_node_id"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}/start": {
    /** Start a router_emulator node */
    post: operations["post_v2_compute_projects_project_id_router_emulator_nodes_node_id_start"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}/stop": {
    /** Stop a router_emulator node */
    post: operations["post_v2_compute_projects_project_id_router_emulator_nodes_node_id_stop"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}/suspend": {
    /** Suspend a router_emulator node */
    post: operations["post_v2_compute_projects_project_id_router_emulator_nodes_node_id_suspend"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}/reload": {
    /** Reload a router_emulator node */
    post: operations["post_v2_compute_projects_project_id_router_emulator_nodes_node_id_reload"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}/resume": {
    /** Resume a router_emulator node */
    post: operations["post_v2_compute_projects_project_id_router_emulator_nodes_node_id_resume"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}/pause": {
    /** Pause a router_emulator node */
    post: operations["post_v2_compute_projects_project_id_router_emulator_nodes_node_id_pause"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}/unpause": {
    /** Unpause a router_emulator node */
    post: operations["post_v2_compute_projects_project_id_router_emulator_nodes_node_id_unpause"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}/console/ws": {
    /** Console of a router_emulator node: raw bytes in binary frames, both ways */
    get: operations["get_v2_compute_projects_project_id_router_emulator_nodes_node_id_console_ws"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}/console/reset": {
    /** Reset the console of a router_emulator node */
    post: operations["post_v2_compute_projects_project_id_router_emulator_nodes_node_id_console_reset"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio": {
    /** Change filters or suspension of a NIO of a router_emulator node */
    put: operations["put_v2_compute_projects_project_id_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Attach a NIO to a port of a router_emulator node */
    post: operations["post_v2_compute_projects_project_id_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Detach the NIO from a port of a router_emulator node */
    delete: operations["delete_v2_compute_projects_project_id_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/start_capture": {
    /** Start capturing on a port of a router_emulator node */
    post: operations["post_v2_compute_projects_project_id_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/stop_capture": {
    /** Stop capturing on a port of a router_emulator node; the file stays */
    post: operations["post_v2_compute_projects_project_id_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/pcap": {
    /** Follow the capture file of a port of a router_emulator node until the capture stops */
    get: operations["get_v2_compute_projects_project_id_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_pcap"];
  };
  "/v2/compute/projects/{project_id}/switch_router_emulator/nodes": {
    /** Create a switch_router_emulator node */
    post: operations["post_v2_compute_projects_project_id_switch_router_emulator_nodes"];
  };
  "/v2/compute/projects/{project_id}/switch_router_emulator/nodes/{node_id}": {
    /** Read a switch_router_emulator node */
    get: operations["get_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id"];
    /** Change a switch_router_emulator node; fields not sent keep their value */
    put: operations["put_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id"];
    /** Delete a switch_router_emulator node with its files */
    delete: operations["delete_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id"];
  };
  "/v2/compute/projects/{project_id}/switch_router_emulator/nodes/{node_id}/start": {
    /** Start a switch_router_emulator node */
    post: operations["post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_start"];
  };
  "/v2/compute/projects/{project_id}/switch_router_emulator/nodes/{node_id}/stop": {
    /** Stop a switch_router_emulator node */
    post: operations["post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_stop"];
  };
  "/v2/compute/projects/{project_id}/switch_router_emulator/nodes/{node_id}/suspend": {
    /** Suspend a switch_router_emulator node */
    post: operations["post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_suspend"];
  };
  "/v2/compute/projects/{project_id}/switch_router_emulator/nodes/{node_id}/reload": {
    /** Reload a switch_router_emulator node */
    post: operations["post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_reload"];
  };
  "/v2/compute/projects/{project_id}/switch_router_emulator/nodes/{node_id}/console/ws": {
    /** Console of a switch_router_emulator node: raw bytes in binary frames, both ways */
    get: operations["get_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_console_ws"];
  };
  "/v2/compute/projects/{project_id}/switch_router_emulator/nodes/{node_id}/console/reset": {
    /** Reset the console of a switch_router_emulator node */
    post: operations["post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_console_reset"];
  };
  "/v2/compute/projects/{project_id}/switch_router_emulator/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio": {
    /** Change filters or suspension of a NIO of a switch_router_emulator node */
    put: operations["put_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Attach a NIO to a port of a switch_router_emulator node */
    post: operations["post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Detach the NIO from a port of a switch_router_emulator node */
    delete: operations["delete_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
  };
  "/v2/compute/projects/{project_id}/switch_router_emulator/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/start_capture": {
    /** Start capturing on a port of a switch_router_emulator node */
    post: operations["post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture"];
  };
  "/v2/compute/projects/{project_id}/switch_router_emulator/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/stop_capture": {
    /** Stop capturing on a port of a switch_router_emulator node; the file stays */
    post: operations["post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture"];
  };
  "/v2/compute/projects/{project_id}/switch_router_emulator/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/pcap": {
    /** Follow the capture file of a port of a switch_router_emulator node until the capture stops */
    get: operations["get_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_pcap"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_a/nodes": {
    /** Create a desktop_vm_a node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_a_nodes"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_a/nodes/{node_id}": {
    /** Read a desktop_vm_a node */
    get: operations["get_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id"];
    /** Change a desktop_vm_a node; fields not sent keep their value */
    put: operations["put_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id"];
    /** Delete a desktop_vm_a node with its files */
    delete: operations["delete_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_a/nodes/{node_id}/start": {
    /** Start a desktop_vm_a node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_start"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_a/nodes/{node_id}/stop": {
    /** Stop a desktop_vm_a node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_stop"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_a/nodes/{node_id}/suspend": {
    /** Suspend a desktop_vm_a node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_suspend"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_a/nodes/{node_id}/reload": {
    /** Reload a desktop_vm_a node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_reload"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_a/nodes/{node_id}/resume": {
    /** Resume a desktop_vm_a node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_resume"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_a/nodes/{node_id}/pause": {
    /** Pause a desktop_vm_a node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_pause"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_a/nodes/{node_id}/unpause": {
    /** Unpause a desktop_vm_a node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_unpause"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_a/nodes/{node_id}/console/ws": {
    /** Console of a desktop_vm_a node: raw bytes in binary frames, both ways */
    get: operations["get_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_console_ws"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_a/nodes/{node_id}/console/reset": {
    /** Reset the console of a desktop_vm_a node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_console_reset"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_a/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio": {
    /** Change filters or suspension of a NIO of a desktop_vm_a node */
    put: operations["put_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Attach a NIO to a port of a desktop_vm_a node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Detach the NIO from a port of a desktop_vm_a node */
    delete: operations["delete_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_a/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/start_capture": {
    /** Start capturing on a port of a desktop_vm_a node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_a/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/stop_capture": {
    /** Stop capturing on a port of a desktop_vm_a node; the file stays */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_a/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/pcap": {
    /** Follow the capture file of a port of a desktop_vm_a node until the capture stops */
    get: operations["get_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_adapters_adapter_number_ports_port_number_pcap"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_b/nodes": {
    /** Create a desktop_vm_b node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_b_nodes"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_b/nodes/{node_id}": {
    /** Read a desktop_vm_b node */
    get: operations["get_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id"];
    /** Change a desktop_vm_b node; fields not sent keep their value */
    put: operations["put_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id"];
    /** Delete a desktop_vm_b node with its files */
    delete: operations["delete_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_b/nodes/{node_id}/start": {
    /** Start a desktop_vm_b node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_start"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_b/nodes/{node_id}/stop": {
    /** Stop a desktop_vm_b node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_stop"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_b/nodes/{node_id}/suspend": {
    /** Suspend a desktop_vm_b node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_suspend"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_b/nodes/{node_id}/reload": {
    /** Reload a desktop_vm_b node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_reload"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_b/nodes/{node_id}/resume": {
    /** Resume a desktop_vm_b node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_resume"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_b/nodes/{node_id}/pause": {
    /** Pause a desktop_vm_b node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_pause"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_b/nodes/{node_id}/unpause": {
    /** Unpause a desktop_vm_b node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_unpause"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_b/nodes/{node_id}/console/ws": {
    /** Console of a desktop_vm_b node: raw bytes in binary frames, both ways */
    get: operations["get_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_console_ws"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_b/nodes/{node_id}/console/reset": {
    /** Reset the console of a desktop_vm_b node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_console_reset"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_b/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio": {
    /** Change filters or suspension of a NIO of a desktop_vm_b node */
    put: operations["put_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Attach a NIO to a port of a desktop_vm_b node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Detach the NIO from a port of a desktop_vm_b node */
    delete: operations["delete_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_b/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/start_capture": {
    /** Start capturing on a port of a desktop_vm_b node */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_b/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/stop_capture": {
    /** Stop capturing on a port of a desktop_vm_b node; the file stays */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_b/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/pcap": {
    /** Follow the capture file of a port of a desktop_vm_b node until the capture stops */
    get: operations["get_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_adapters_adapter_number_ports_port_number_pcap"];
  };
  "/v2/compute/projects/{project_id}/simple_router/nodes": {
    /** Create a simple_router node */
    post: operations["post_v2_compute_projects_project_id_simple_router_nodes"];
  };
  "/v2/compute/projects/{project_id}/simple_router/nodes/{node_id}": {
    /** Read a simple_router node */
    get: operations["get_v2_compute_projects_project_id_simple_router_nodes_node_id"];
    /** Change a simple_router node; fields not sent keep their value */
    put: operations["put_v2_compute_projects_project_id_simple_router_nodes_node_id"];
    /** Delete a simple_router node with its files */
    delete: operations["delete_v2_compute_projects_project_id_simple_router_nodes_node_id"];
  };
  "/v2/compute/projects/{project_id}/simple_router/nodes/{node_id}/start": {
    /** Start a simple_router node */
    post: operations["post_v2_compute_projects_project_id_simple_router_nodes_node_id_start"];
  };
  "/v2/compute/projects/{project_id}/simple_router/nodes/{node_id}/stop": {
    /** Stop a simple_router node */
    post: operations["post_v2_compute_projects_project_id_simple_router_nodes_node_id_stop"];
  };
  "/v2/compute/projects/{project_id}/simple_router/nodes/{node_id}/suspend": {
    /** Suspend a simple_router node */
    post: operations["post_v2_compute_projects_project_id_simple_router_nodes_node_id_suspend"];
  };
  "/v2/compute/projects/{project_id}/simple_router/nodes/{node_id}/reload": {
    /** Reload a simple_router node */
    post: operations["post_v2_compute_projects_project_id_simple_router_nodes_node_id_reload"];
  };
  "/v2/compute/projects/{project_id}/simple_router/nodes/{node_id}/resume": {
    /** Resume a simple_router node */
    post: operations["post_v2_compute_projects_project_id_simple_router_nodes_node_id_resume"];
  };
  "/v2/compute/projects/{project_id}/simple_router/nodes/{node_id}/pause": {
    /** Pause a simple_router node */
    post: operations["post_v2_compute_projects_project_id_simple_router_nodes_node_id_pause"];
  };
  "/v2/compute/projects/{project_id}/simple_router/nodes/{node_id}/unpause": {
    /** Unpause a simple_router node */
    post: operations["post_v2_compute_projects_project_id_simple_router_nodes_node_id_unpause"];
  };
  "/v2/compute/projects/{project_id}/simple_router/nodes/{node_id}/console/ws": {
    /** Console of a simple_router node: raw bytes in binary frames, both ways */
    get: operations["get_v2_compute_projects_project_id_simple_router_nodes_node_id_console_ws"];
  };
  "/v2/compute/projects/{project_id}/simple_router/nodes/{node_id}/console/reset": {
    /** Reset the console of a simple_router node */
    post: operations["post_v2_compute_projects_project_id_simple_router_nodes_node_id_console_reset"];
  };
  "/v2/compute/projects/{project_id}/simple_router/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/nio": {
    /** Change filters or suspension of a NIO of a simple_router node */
    put: operations["put_v2_compute_projects_project_id_simple_router_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Attach a NIO to a port of a simple_router node */
    post: operations["post_v2_compute_projects_project_id_simple_router_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
    /** Detach the NIO from a port of a simple_router node */
    delete: operations["delete_v2_compute_projects_project_id_simple_router_nodes_node_id_adapters_adapter_number_ports_port_number_nio"];
  };
  "/v2/compute/projects/{project_id}/simple_router/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/start_capture": {
    /** Start capturing on a port of a simple_router node */
    post: operations["post_v2_compute_projects_project_id_simple_router_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture"];
  };
  "/v2/compute/projects/{project_id}/simple_router/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/stop_capture": {
    /** Stop capturing on a port of a simple_router node; the file stays */
    post: operations["post_v2_compute_projects_project_id_simple_router_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture"];
  };
  "/v2/compute/projects/{project_id}/simple_router/nodes/{node_id}/adapters/{adapter_number}/ports/{port_number}/pcap": {
    /** Follow the capture file of a port of a simple_router node until the capture stops */
    get: operations["get_v2_compute_projects_project_id_simple_router_nodes_node_id_adapters_adapter_number_ports_port_number_pcap"];
  };
  "/v2/compute/projects/{project_id}/simple_pc/nodes/{node_id}/duplicate": {
    /** Put the files of a simple_pc node into the place of another's, which must be stopped; answers with the other */
    post: operations["post_v2_compute_projects_project_id_simple_pc_nodes_node_id_duplicate"];
  };
  "/v2/compute/projects/{project_id}/ethernet_switch/nodes/{node_id}/duplicate": {
    /** Put the files of a ethernet_switch node into the place of another's, which must be stopped; answers with the other */
    post: operations["post_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_duplicate"];
  };
  "/v2/compute/projects/{project_id}/ethernet_hub/nodes/{node_id}/duplicate": {
    /** Put the files of a ethernet_hub node into the place of another's, which must be stopped; answers with the other */
    post: operations["post_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_duplicate"];
  };
  "/v2/compute/projects/{project_id}/frame_relay_switch/nodes/{node_id}/duplicate": {
    /** Put the files of a frame_relay_switch node into the place of another's, which must be stopped; answers with the other */
    post: operations["post_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_duplicate"];
  };
  "/v2/compute/projects/{project_id}/atm_switch/nodes/{node_id}/duplicate": {
    /** Put the files of a atm_switch node into the place of another's, which must be stopped; answers with the other */
    post: operations["post_v2_compute_projects_project_id_atm_switch_nodes_node_id_duplicate"];
  };
  "/v2/compute/projects/{project_id}/trace_tool/nodes/{node_id}/duplicate": {
    /** Put the files of a trace_tool node into the place of another's, which must be stopped; answers with the other */
    post: operations["post_v2_compute_projects_project_id_trace_tool_nodes_node_id_duplicate"];
  };
  "/v2/compute/machine_emulator/images": {
    /** Images for machine_emulator nodes, with their MD5 sums */
    get: operations["get_v2_compute_machine_emulator_images"];
  };
  "/v2/compute/machine_emulator/images/{filename}": {
    /** Read an image for machine_emulator nodes */
    get: operations["get_v2_compute_machine_emulator_images_filename"];
    /** Write an image for machine_emulator nodes, as a whole */
    post: operations["post_v2_compute_machine_emulator_images_filename"];
  };
  "/v2/compute/machine_emulator/binaries": {
    /** The QEMU programs of this machine; `archs` asks for some architectures only */
    get: operations["get_v2_compute_machine_emulator_binaries"];
  };
  "/v2/compute/machine_emulator/img-binaries": {
    /** The qemu-img programs of this machine */
    get: operations["get_v2_compute_machine_emulator_img_binaries"];
  };
  "/v2/compute/machine_emulator/capabilities": {
    /** Architectures that KVM runs here */
    get: operations["get_v2_compute_machine_emulator_capabilities"];
  };
  "/v2/compute/machine_emulator/img": {
    /** Grow a disk image with qemu-img by a number of megabytes; no machine may be using it */
    put: operations["put_v2_compute_machine_emulator_img"];
    /** Create a disk image with qemu-img */
    post: operations["post_v2_compute_machine_emulator_img"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}/resize_disk": {
    /** Grow a disk by a number of megabytes; the machine must be stopped */
    post: operations["post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_resize_disk"];
  };
  "/v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}/duplicate": {
    /** Put the files of a machine_emulator node into the place of another's, which must be stopped; answers with the other */
    post: operations["post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_duplicate"];
  };
  "/v2/compute/container/images": {
    /** Images that the container service has */
    get: operations["get_v2_compute_container_images"];
  };
  "/v2/compute/projects/{project_id}/container/nodes/{node_id}/duplicate": {
    /** Put the files of a container node into the place of another's, which must be stopped; answers with the other */
    post: operations["post_v2_compute_projects_project_id_container_nodes_node_id_duplicate"];
  };
  "/v2/compute/router_emulator/images": {
    /** Images for router_emulator nodes, with their MD5 sums */
    get: operations["get_v2_compute_router_emulator_images"];
  };
  "/v2/compute/router_emulator/images/{filename}": {
    /** Read an image for router_emulator nodes */
    get: operations["get_v2_compute_router_emulator_images_filename"];
    /** Write an image for router_emulator nodes, as a whole */
    post: operations["post_v2_compute_router_emulator_images_filename"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}/auto_idlepc": {
    /** Find an idle-PC value that works */
    get: operations["get_v2_compute_projects_project_id_router_emulator_nodes_node_id_auto_idlepc"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}/idlepc_proposals": {
    /** Idle-PC values that may work, the best first */
    get: operations["get_v2_compute_projects_project_id_router_emulator_nodes_node_id_idlepc_proposals"];
  };
  "/v2/compute/projects/{project_id}/router_emulator/nodes/{node_id}/duplicate": {
    /** Put the files of a router_emulator node into the place of another's, which must be stopped; answers with the other */
    post: operations["post_v2_compute_projects_project_id_router_emulator_nodes_node_id_duplicate"];
  };
  "/v2/compute/switch_router_emulator/images": {
    /** Images for switch_router_emulator nodes, with their MD5 sums */
    get: operations["get_v2_compute_switch_router_emulator_images"];
  };
  "/v2/compute/switch_router_emulator/images/{filename}": {
    /** Read an image for switch_router_emulator nodes */
    get: operations["get_v2_compute_switch_router_emulator_images_filename"];
    /** Write an image for switch_router_emulator nodes, as a whole */
    post: operations["post_v2_compute_switch_router_emulator_images_filename"];
  };
  "/v2/compute/projects/{project_id}/switch_router_emulator/nodes/{node_id}/duplicate": {
    /** Put the files of a switch_router_emulator node into the place of another's, which must be stopped; answers with the other */
    post: operations["post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_duplicate"];
  };
  "/v2/compute/desktop_vm_a/vms": {
    /** Machines that can be made nodes */
    get: operations["get_v2_compute_desktop_vm_a_vms"];
  };
  "/v2/compute/desktop_vm_b/vms": {
    /** Machines that can be made nodes */
    get: operations["get_v2_compute_desktop_vm_b_vms"];
  };
  "/v2/compute/projects/{project_id}/desktop_vm_b/nodes/{node_id}/interfaces/vmnet": {
    /** Give a free vmnet interface to a machine */
    post: operations["post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_interfaces_vmnet"];
  };
  "/v2/compute/projects/{project_id}/simple_router/nodes/{node_id}/duplicate": {
    /** Put the files of a simple_router node into the place of another's, which must be stopped; answers with the other */
    post: operations["post_v2_compute_projects_project_id_simple_router_nodes_node_id_duplicate"];
  };
  "/v2/compute/batch": {
    /** Many requests of the compute group, side by side: a line of JSON for each, as soon as it is answered */
    post: operations["post_v2_compute_batch"];
  };
}
export interface components {
  schemas: {
    /** @description What is wrong, in a sentence; more keys depend on the code */
    Error: {
      message: string;
      status: number;
      code: "invalid_request" | "unauthorized" | "forbidden" | "not_local" | "project_closed" | "not_found" | "no_route" | "method_not_allowed" | "deadline" | "compute_unreachable" | "conflict" | "fenced" | "engine_missing" | "engine_failed" | "nodes_failed" | "precondition_failed" | "body_too_large" | "media_type" | "too_many_listeners" | "too_many_requests" | "headers_too_large" | "internal" | "log_damaged" | "fabric_lost" | "lease_lost" | "not_ready" | "log_read_only" | "log_unreachable" | "no_writer" | "shutting_down" | "disk_full";
      errors?: {
        field: string;
        problem: string;
      }[];
    } & {
      [key: string]: unknown;
    };
    Version: {
      version: string;
      local: boolean;
    };
    Health: {
      status: "ok" | "read_only" | "damaged";
      /**
       * @description What the server is in its cell; with a log of its own it is the writer
       * @enum {string}
       */
      role: "writer" | "standby";
      version: string;
      /** @description Only of a server that only reads: positions, projects and records that are damaged */
      read_only?: {
        reason: string;
        remedy: string;
        /** @description It writes by itself once that is possible */
        heals: boolean;
        damage: {
          missing: {
            first: number;
            last: number;
          }[];
          projects: string[];
          records: {
            collection: string;
            id: string;
          }[];
        } & {
          [key: string]: unknown;
        };
      } & {
        [key: string]: unknown;
      };
      log: {
        position: number;
        writable: boolean;
        reason: string | null;
        /** @description What reads have found damaged since the start */
        damage: ({
          position: number | null;
          where: string;
          message: string;
        } & {
          [key: string]: unknown;
        })[];
      } & {
        [key: string]: unknown;
      };
      /** @description Only of a server that shares its log with others */
      cell?: {
        name: string;
        /** @description Of the log */
        place: string;
        /** @description What an answered write has survived, as the database is set now */
        survived: string;
        /** @description Why nobody writes, or nothing is answered, where that is known */
        problem: string | null;
        /** @description This server among the others */
        owner: string;
        /** @description Events that this server does not know yet */
        behind: number;
        epoch: number | null;
        writer: ({
          owner: string;
          url: string;
          lease_ms: number;
        } & {
          [key: string]: unknown;
        }) | null;
        standbys: ({
          owner: string;
          url: string;
          position: number;
          behind: number;
        } & {
          [key: string]: unknown;
        })[];
      } & {
        [key: string]: unknown;
      };
      /** @description The process that moves frames and consoles */
      fabric: {
        /**
         * @description unused: this server only reads
         * @enum {string}
         */
        state: "ok" | "hung" | "replacing" | "unused";
        pid: number;
        /** @description Milliseconds since it answered a heartbeat */
        answered_ms: number;
        /** @description By which means it reaches UDP */
        sockets: string;
      } & {
        [key: string]: unknown;
      };
      /** @description With which exported sessions are signed */
      public_key: string;
    } & {
      [key: string]: unknown;
    };
    LoginState: {
      /** @description Whether this server asks for a password */
      asked: boolean;
      /** @description Whom it knows by this request; null: nobody */
      user: string | null;
    };
    AnyObject: {
      [key: string]: unknown;
    };
    Compute: {
      compute_id: string;
      name: string;
      protocol: "http" | "https";
      host: string;
      port: number;
      user: string | null;
      connected: boolean;
      cpu_usage_percent: number | null;
      memory_usage_percent: number | null;
      last_error: string | null;
      capabilities: {
        /** @description null: it was never connected */
        version: string | null;
        node_types: string[];
        platform: string | null;
      };
      /** @description Its version where it is one; null: it is not, or was never connected. Absent with the names gns3 */
      topolog?: string | null;
      /** @description Seconds by which its clock is ahead of that of this server; null: it is not known. Absent for this server, with the names gns3, and in frames about what has changed */
      clock_ahead?: number | null;
    };
    Moved: {
      /** @description Those that were there already are in neither list */
      moved: {
        project_id: string;
        node_id: string;
        name: string;
        compute_id: string;
        reason: string;
        started: boolean;
      }[];
      left: {
        project_id: string;
        node_id: string;
        name: string;
        reason: string;
      }[];
    };
    PortsInUse: {
      console_port_range: number[];
      console_ports: number[];
      udp_port_range: number[];
      udp_ports: number[];
    };
    Engine: {
      node_type: string;
      engine: string;
      available: boolean;
      version: string | null;
      missing: {
        needs: string;
        install: string;
      } | null;
    };
    Project: {
      /** @description Never changes. */
      project_id: string;
      /** @description What the lab is called. */
      name: string | null;
      /** @description Name of its file in that directory. */
      filename: string | null;
      /** @description Where its files are. */
      path: string | null;
      /**
       * @description Whether it is opened.
       * @enum {string}
       */
      status: "opened" | "closed";
      /** @description It closes, and its nodes stop, when its last viewer leaves. */
      auto_close: boolean;
      /** @description The project is opened when the server starts. */
      auto_open: boolean;
      /** @description All nodes start when the project is opened. */
      auto_start: boolean;
      /** @description For clients that limit it. */
      scene_width: number;
      /** @description For clients that limit it. */
      scene_height: number;
      /** @description How large clients show the map at first. */
      zoom: number;
      /** @description Distance of its lines. */
      grid_size: number;
      /** @description Distance of its lines. */
      drawing_grid_size: number;
      /** @description Lines behind the lab. */
      show_grid: boolean;
      /** @description Beside the ends of links. */
      show_interface_labels: boolean;
      /** @description The layer of each object stands beside it. */
      show_layers: boolean;
      /** @description What is moved goes to the next line. */
      snap_to_grid: boolean;
      /** @description They can be played back later. */
      record_consoles: boolean;
      /** @description Also what consoles do not show, such as passwords. */
      record_hidden_input: boolean;
      /** @description Compute of nodes that do not say theirs; auto: the best one. */
      default_compute: string;
      /**
       * @description What becomes of its nodes at a server that wrote the log.
       * @enum {string}
       */
      on_takeover?: "leave" | "restart";
      /** @description Where the list of projects shows it, one a line, from the outermost on. */
      folder?: string[];
      /** @description Words that it is found by, one a line. */
      tags?: string[];
      /** @description Nodes that the map shows and moves together. */
      groups?: {
        /**
         * Format: uuid
         * @description Never changes.
         */
        group_id: string;
        /** @description Of the group. */
        name: string;
        /** @description Of its frame. */
        color: string;
        /** @description One symbol stands for its nodes. */
        collapsed: boolean;
        /** @description That are in it. */
        nodes: string[];
      }[];
      /** @description What must hold while it runs. */
      checks?: {
        /**
         * Format: uuid
         * @description Never changes.
         */
        check_id: string;
        /** @description What people call it. */
        name?: string;
        /** @description One node reaches another. */
        reach?: {
          /** @description Node that asks: its name or node_id. */
          from: string;
          /** @description Node that is to answer, by name or node_id, or an address. */
          to: string;
          /** @description It must not be reached. */
          not?: boolean;
          /** @description Octets of data in the request; 56 if absent. */
          size?: number;
        };
        /** @description A console shows something. */
        console?: {
          /** @description Whose console: its name or node_id. */
          node: string;
          /** @description A line that is typed for each look. Absent: what the console shows by itself. */
          type?: string;
          /** @description Text that must be in what follows. */
          shows?: string;
          /** @description Regular expression that must match what follows; ^ and $ are those of a line. */
          matches?: string;
          /** @description It must not be there. */
          not?: boolean;
        };
        /** @description A frame passes a link, or never does. */
        capture?: {
          /** @description On which frames are looked at. */
          link: string | [
            string,
            string
          ];
          /** @description Which frames: an expression of pcap-filter, such as net 10.0.9.0/24. */
          filter: string;
          /**
           * @description never: no such frame may pass; seen: one must.
           * @enum {string}
           */
          is: "never" | "seen";
        };
        /** @description A node has a state. */
        state?: {
          /** @description Its name or node_id. */
          node: string;
          /**
           * @description State that it must have.
           * @enum {string}
           */
          is: "started" | "stopped" | "suspended";
        };
        /** @description Traffic of a link is within bounds. */
        counter?: {
          /** @description Whose traffic is counted. */
          link: string | [
            string,
            string
          ];
          /**
           * @description What is counted: of both directions together, where no node is named that sends it.
           * @enum {string}
           */
          of: "frames" | "octets" | "dropped";
          /** @description Only what this node sends: its name or node_id. */
          from?: string;
          /** @description More than this, since the project was opened. */
          over?: number;
          /** @description Less than this, since the project was opened. */
          under?: number;
        };
        /** @description A command of yours ends well. */
        exec?: {
          /** @description In which it runs: its name or node_id. Absent: on the machine of the server. */
          node?: string;
          /** @description Command line of a shell. It holds if it ends as asked for, with 0 if nothing is. */
          run: string;
          /** @description Exit code that it ends with; 0 if absent. */
          code?: number;
          /** @description Values of its output that the rest is about, such as neighbors.*.state or peers['10.0.0.2'].state. */
          json?: string;
          /** @description Text that must be in the output, or in such a value. */
          shows?: string;
          /** @description Regular expression that must match the output, or such a value; ^ and $ are those of a line. */
          matches?: string;
          /** @description Such a value, exactly. */
          is?: string | number | boolean;
          /** @description How many such values there are; at least one if absent. */
          count?: number;
          /** @description It must not be there. */
          not?: boolean;
          /** @description Name that is typed where its console asks for one. */
          user?: string;
          /** @description The same. Everybody who may see the lab can read it. */
          password?: string;
          /** @description Longest time that it may take; 10 s if absent. */
          timeout?: string | number;
        };
        /** @description Few enough probes are lost. */
        loss?: {
          /** @description Node that asks: its name or node_id. */
          from: string;
          /** @description Node that is to answer, by name or node_id, or an address. */
          to: string;
          /** @description Share of probes that may be lost, less than this. */
          under: number;
          /** @description Sent for each look; 100 if absent. */
          probes?: number;
        };
        /** @description A router of FRR has its neighbors of OSPF. */
        ospf?: {
          /** @description Its name or node_id. */
          node: string;
          /** @description How many are Full; at least one if absent. */
          neighbors?: number;
        };
        /** @description A router of FRR has its neighbors of BGP. */
        bgp?: {
          /** @description Its name or node_id. */
          node: string;
          /** @description How many are Established; at least one if absent. */
          neighbors?: number;
        };
        /** @description A port of a bridge of Linux carries a VLAN. */
        vlan?: {
          /** @description Its name or node_id. */
          node: string;
          /** @description Port of a bridge of the node, such as eth1. */
          interface: string;
          /** @description That it carries. */
          vlan: number;
        };
        /** @description A router of FRR has its role in VRRP. */
        vrrp?: {
          /** @description Its name or node_id. */
          node: string;
          /** @description Number of the virtual router (VRID). */
          group: number;
          /**
           * @description Role that it must have.
           * @enum {string}
           */
          is: "Master" | "Backup";
        };
        /** @description When it is looked at first, from the start of the lab; at once if absent. */
        first?: string | number;
        /** @description Time from one look to the next; 1 s if absent. */
        every?: string | number;
        /** @description How long it is looked at, from the first time; as long as the lab runs if absent. */
        for?: string | number;
        /** @description Time from the start of the lab until which it need not hold yet. */
        within?: string | number;
        /** @description Time from the start of the lab before which it must hold once. */
        before?: string | number;
        /** @description Weather of this name, while it lasts. */
        during?: string;
        /** @description What it counts in a stage; 1 if absent. */
        points?: number;
      }[];
      /** @description What its checks count for those who learn with it. */
      stages?: {
        /** @description Of the stage. */
        name: string;
        /** @description Names of the checks that must have been met. */
        checks: string[];
        /** @description Time from the start of the lab until which it counts. */
        deadline?: string | number;
        /** @description Stages that count once this one is passed. */
        unlocks?: string[];
      }[];
      /** @description Of what happens at random on links: the same lab on another machine loses the same frames. 0: none. */
      seed?: number;
      /** @description Whose lab it is: a logo and an address. */
      supplier: {
        logo: string;
        url: string;
      } | null;
      /** @description Names and values that appliances may read. */
      variables: {
        name: string;
        value?: string;
      }[] | null;
    };
    ProjectOverview: {
      project_id: string;
      nodes: number;
      /** @description Nodes that are started */
      running: number;
      /** @description Nodes that keep the project from being copied: those that run, and do not always run */
      busy: number;
      /** @description Nodes whose last start failed */
      failed: number;
      /** @description Nodes whose compute is away */
      unreachable: number;
      links: number;
      /** @description When the last event of the project happened, ISO time */
      changed_at: string | null;
      /** @description Names of those who look at it, each once */
      viewers: string[];
      /** @description project_id of what it is a fork of; null: of none */
      forked_from: string | null;
    };
    ProjectCreate: {
      name: string;
      /** Format: uuid */
      project_id?: string;
      path?: string;
      auto_close?: boolean;
      auto_open?: boolean;
      auto_start?: boolean;
      scene_width?: number;
      scene_height?: number;
      zoom?: number;
      grid_size?: number;
      drawing_grid_size?: number;
      show_grid?: boolean;
      show_interface_labels?: boolean;
      show_layers?: boolean;
      snap_to_grid?: boolean;
      record_consoles?: boolean;
      record_hidden_input?: boolean;
      default_compute?: string;
      on_takeover?: "leave" | "restart";
      folder?: string[];
      tags?: string[];
      groups?: {
        /** Format: uuid */
        group_id: string;
        name: string;
        color: string;
        collapsed: boolean;
        nodes: string[];
      }[];
      checks?: {
        /** Format: uuid */
        check_id: string;
        name?: string;
        reach?: {
          from: string;
          to: string;
          not?: boolean;
          size?: number;
        };
        console?: {
          node: string;
          type?: string;
          shows?: string;
          matches?: string;
          not?: boolean;
        };
        capture?: {
          link: string | [
            string,
            string
          ];
          filter: string;
          is: "never" | "seen";
        };
        state?: {
          node: string;
          is: "started" | "stopped" | "suspended";
        };
        counter?: {
          link: string | [
            string,
            string
          ];
          of: "frames" | "octets" | "dropped";
          from?: string;
          over?: number;
          under?: number;
        };
        exec?: {
          node?: string;
          run: string;
          code?: number;
          json?: string;
          shows?: string;
          matches?: string;
          is?: string | number | boolean;
          count?: number;
          not?: boolean;
          user?: string;
          password?: string;
          timeout?: string | number;
        };
        loss?: {
          from: string;
          to: string;
          under: number;
          probes?: number;
        };
        ospf?: {
          node: string;
          neighbors?: number;
        };
        bgp?: {
          node: string;
          neighbors?: number;
        };
        vlan?: {
          node: string;
          interface: string;
          vlan: number;
        };
        vrrp?: {
          node: string;
          group: number;
          is: "Master" | "Backup";
        };
        first?: string | number;
        every?: string | number;
        for?: string | number;
        within?: string | number;
        before?: string | number;
        during?: string;
        points?: number;
      }[];
      stages?: {
        name: string;
        checks: string[];
        deadline?: string | number;
        unlocks?: string[];
      }[];
      seed?: number;
      supplier?: {
        logo: string;
        url: string;
      } | null;
      variables?: {
        name: string;
        value?: string;
      }[] | null;
      readonly status?: unknown;
      readonly filename?: unknown;
    };
    ProjectUpdate: {
      name?: string;
      auto_close?: boolean;
      auto_open?: boolean;
      auto_start?: boolean;
      scene_width?: number;
      scene_height?: number;
      zoom?: number;
      grid_size?: number;
      drawing_grid_size?: number;
      show_grid?: boolean;
      show_interface_labels?: boolean;
      show_layers?: boolean;
      snap_to_grid?: boolean;
      record_consoles?: boolean;
      record_hidden_input?: boolean;
      default_compute?: string;
      on_takeover?: "leave" | "restart";
      folder?: string[];
      tags?: string[];
      groups?: {
        /** Format: uuid */
        group_id: string;
        name: string;
        color: string;
        collapsed: boolean;
        nodes: string[];
      }[];
      checks?: {
        /** Format: uuid */
        check_id: string;
        name?: string;
        reach?: {
          from: string;
          to: string;
          not?: boolean;
          size?: number;
        };
        console?: {
          node: string;
          type?: string;
          shows?: string;
          matches?: string;
          not?: boolean;
        };
        capture?: {
          link: string | [
            string,
            string
          ];
          filter: string;
          is: "never" | "seen";
        };
        state?: {
          node: string;
          is: "started" | "stopped" | "suspended";
        };
        counter?: {
          link: string | [
            string,
            string
          ];
          of: "frames" | "octets" | "dropped";
          from?: string;
          over?: number;
          under?: number;
        };
        exec?: {
          node?: string;
          run: string;
          code?: number;
          json?: string;
          shows?: string;
          matches?: string;
          is?: string | number | boolean;
          count?: number;
          not?: boolean;
          user?: string;
          password?: string;
          timeout?: string | number;
        };
        loss?: {
          from: string;
          to: string;
          under: number;
          probes?: number;
        };
        ospf?: {
          node: string;
          neighbors?: number;
        };
        bgp?: {
          node: string;
          neighbors?: number;
        };
        vlan?: {
          node: string;
          interface: string;
          vlan: number;
        };
        vrrp?: {
          node: string;
          group: number;
          is: "Master" | "Backup";
        };
        first?: string | number;
        every?: string | number;
        for?: string | number;
        within?: string | number;
        before?: string | number;
        during?: string;
        points?: number;
      }[];
      stages?: {
        name: string;
        checks: string[];
        deadline?: string | number;
        unlocks?: string[];
      }[];
      seed?: number;
      supplier?: {
        logo: string;
        url: string;
      } | null;
      variables?: {
        name: string;
        value?: string;
      }[] | null;
      readonly project_id?: unknown;
      readonly path?: unknown;
      readonly filename?: unknown;
      readonly status?: unknown;
    };
    ProjectStats: {
      nodes: number;
      links: number;
      drawings: number;
      snapshots: number;
    };
    Node: {
      /** @description Machine that runs it. A move takes its files along. */
      compute_id: string;
      /** @description That it belongs to. */
      project_id: string;
      /** @description Never changes. */
      node_id: string;
      /** @description That it was made from. */
      template_id: string | null;
      /** @description What the node is; it never changes. */
      node_type: string;
      /** @description Where its files are. */
      node_directory: string | null;
      /** @description Each name is there once in a project. */
      name: string;
      /** @description What it was started with. */
      command_line: string | null;
      /** @description TCP port of its console. Empty: a free one. */
      console: number | null;
      /** @description Where its console can be reached. */
      console_host: string;
      /**
       * @description How its console is spoken to.
       * @enum {string}
       */
      console_type: "vnc" | "telnet" | "http" | "https" | "spice" | "spice+agent" | "none";
      /** @description Settings of its kind. */
      properties: {
        [key: string]: unknown;
      };
      /**
       * @description Whether it runs.
       * @enum {string}
       */
      status: "stopped" | "started" | "suspended";
      /** @description The name on the map: where it is, and how it looks. */
      label: components["schemas"]["Label"];
      /** @description Picture of the node on the map. */
      symbol: string | null;
      /** @description Of its symbol. */
      width: number;
      /** @description Of its symbol. */
      height: number;
      /** @description Clients open it when the node starts. */
      console_auto_start: boolean;
      /** @description Where it is on the map, from its middle to the right. */
      x: number;
      /** @description Where it is on the map, from its middle down. */
      y: number;
      /** @description A higher layer covers a lower one. */
      z: number;
      /** @description It cannot be moved or deleted. */
      locked: boolean;
      /** @description Such as Ethernet{0}, where ports are named by a format: {0} is the port, {1} the segment. */
      port_name_format: string;
      /** @description For that format. 0: there are no segments. */
      port_segment_size: number;
      /** @description Empty: as the format names it. */
      first_port_name: string | null;
      /** @description Name, type and MAC address of adapters that differ from the others. */
      custom_adapters: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string;
      }[];
      /** @description Where links can go. */
      ports: components["schemas"]["Port"][];
    };
    Label: {
      text: string;
      style?: string | null;
      x?: number | null;
      y?: number;
      rotation?: number;
    };
    Port: {
      name: string;
      short_name: string;
      adapter_number: number;
      port_number: number;
      link_type: "ethernet" | "serial";
      data_link_types: {
        [key: string]: string;
      };
      adapter_type?: string;
      mac_address?: string;
    };
    NodeCreate: {
      name: string;
      node_type: "simple_pc" | "ethernet_switch" | "ethernet_hub" | "frame_relay_switch" | "atm_switch" | "trace_tool" | "nat" | "cloud" | "machine_emulator" | "container" | "router_emulator" | "switch_router_emulator" | "desktop_vm_a" | "desktop_vm_b" | "simple_router" | "vpcs" | "traceng" | "qemu" | "docker" | "dynamips" | "iou" | "virtualbox" | "vmware";
      compute_id?: string;
      /** Format: uuid */
      node_id?: string;
      template_id?: string | null;
      console?: number | null;
      console_type?: ("vnc" | "telnet" | "http" | "https" | "spice" | "spice+agent" | "none") | null;
      properties?: {
        [key: string]: unknown;
      };
      label?: components["schemas"]["LabelCreate"];
      symbol?: string | null;
      console_auto_start?: boolean;
      x?: number;
      y?: number;
      z?: number;
      locked?: boolean;
      port_name_format?: string;
      port_segment_size?: number;
      first_port_name?: string | null;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      readonly project_id?: unknown;
      readonly status?: unknown;
      readonly ports?: unknown;
      readonly width?: unknown;
      readonly height?: unknown;
      readonly node_directory?: unknown;
      readonly command_line?: unknown;
      readonly console_host?: unknown;
    };
    LabelCreate: {
      text: string;
      style?: string | null;
      x?: number | null;
      y?: number;
      rotation?: number;
    };
    Link: {
      /** @description Never changes. */
      link_id: string;
      /** @description That it belongs to. */
      project_id: string;
      /**
       * @description Of both ports: Ethernet or serial.
       * @enum {string}
       */
      link_type: "ethernet" | "serial";
      /** @description Ports that it connects, with their labels. */
      nodes: {
        node_id: string;
        adapter_number: number;
        port_number: number;
        label: components["schemas"]["Label"];
      }[];
      /** @description Nothing passes. */
      suspend: boolean;
      /** @description What happens to frames, in both directions; with > or < behind its name in one. */
      filters: components["schemas"]["Filters"];
      /** @description How the line looks; kept for clients that draw it. */
      link_style: {
        [key: string]: unknown;
      };
      /** @description Its frames are written to a file. */
      capturing: boolean;
      /** @description What the last capture wrote. */
      capture_file_name: string | null;
      /** @description Where that file is. */
      capture_file_path: string | null;
      /** @description Machine that writes the file. */
      capture_compute_id: string | null;
      /** @description Why it is not known whether frames pass since a compute was away. */
      unproved?: string;
    };
    Filters: {
      [key: string]: (number | string)[];
    };
    NodeUpdate: {
      name?: string;
      compute_id?: string;
      console?: number | null;
      console_type?: ("vnc" | "telnet" | "http" | "https" | "spice" | "spice+agent" | "none") | null;
      properties?: {
        [key: string]: unknown;
      };
      label?: components["schemas"]["LabelCreate"];
      symbol?: string | null;
      console_auto_start?: boolean;
      x?: number;
      y?: number;
      z?: number;
      locked?: boolean;
      port_name_format?: string;
      port_segment_size?: number;
      first_port_name?: string | null;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      readonly project_id?: unknown;
      readonly status?: unknown;
      readonly ports?: unknown;
      readonly width?: unknown;
      readonly height?: unknown;
      readonly node_directory?: unknown;
      readonly command_line?: unknown;
      readonly console_host?: unknown;
      readonly node_id?: unknown;
      readonly node_type?: unknown;
      readonly template_id?: unknown;
    };
    Recording: {
      name: string;
      bytes: number;
      /** Format: date-time */
      started_at: string;
      /** @description null while it goes on */
      seconds: number | null;
      recording: boolean;
    };
    Collected: {
      /** Format: uuid */
      node_id: string;
      name: string;
      /** @description Of its new version; null: it has not changed, or there is none */
      position: number | null;
      files: string[];
      /** @description Why it could not be read */
      problem: string | null;
    };
    ConfigVersion: {
      /** @description Of the event that has it */
      position: number;
      /** Format: date-time */
      at: string;
      /** @description Who had it collected */
      by: string;
      sha256: string;
      files: {
        name: string;
        bytes: number;
      }[];
    };
    ConfigContent: {
      /** @description Of the event that has it */
      position: number;
      /** Format: date-time */
      at: string;
      /** @description Who had it collected */
      by: string;
      sha256: string;
      files: {
        name: string;
        bytes: number;
        content: string;
      }[];
      /** @description Position of the version that it is compared with; null: there is none */
      against: number | null;
      /** @description What is different, as diff -u writes it; empty: nothing */
      diff: string;
    };
    LinkCreate: {
      /** Format: uuid */
      link_id?: string;
      nodes: {
        /** Format: uuid */
        node_id: string;
        adapter_number: number;
        port_number: number;
        label?: components["schemas"]["LabelCreate"];
      }[];
      suspend?: boolean;
      filters?: components["schemas"]["Filters"];
      link_style?: {
        [key: string]: unknown;
      };
      readonly project_id?: unknown;
      readonly link_type?: unknown;
      readonly capturing?: unknown;
      readonly capture_file_name?: unknown;
      readonly capture_file_path?: unknown;
      readonly capture_compute_id?: unknown;
      readonly unproved?: unknown;
    };
    FilterDescription: {
      type: string;
      name: string;
      description: string;
      parameters: {
        name: string;
        type: "int" | "text";
        minimum?: number;
        maximum?: number;
        unit?: string;
      }[];
    };
    LinkTraffic: {
      link_id: string;
      /** @description From the first end to the second, and back */
      directions: [
        {
          /** @description That arrived */
          frames: number;
          bytes: number;
          /** @description That did not arrive */
          dropped: number;
          /** @description That wait for their delay at the moment */
          delayed: number;
          /** @description Frames by what happened to them: types of filters (`corrupt` and `delay` drop none), `suspended`, `queue_full` */
          reasons: {
            [key: string]: number;
          };
        },
        {
          /** @description That arrived */
          frames: number;
          bytes: number;
          /** @description That did not arrive */
          dropped: number;
          /** @description That wait for their delay at the moment */
          delayed: number;
          /** @description Frames by what happened to them: types of filters (`corrupt` and `delay` drop none), `suspended`, `queue_full` */
          reasons: {
            [key: string]: number;
          };
        }
      ];
    };
    LinkUpdate: {
      nodes?: {
        /** Format: uuid */
        node_id: string;
        label?: components["schemas"]["LabelCreate"];
        readonly adapter_number?: unknown;
        readonly port_number?: unknown;
      }[];
      suspend?: boolean;
      filters?: components["schemas"]["Filters"];
      link_style?: {
        [key: string]: unknown;
      };
      readonly project_id?: unknown;
      readonly link_type?: unknown;
      readonly capturing?: unknown;
      readonly capture_file_name?: unknown;
      readonly capture_file_path?: unknown;
      readonly capture_compute_id?: unknown;
      readonly unproved?: unknown;
      readonly link_id?: unknown;
    };
    LinkCapture: {
      capture_file_name?: string;
      data_link_type?: "DLT_ATM_RFC1483" | "DLT_EN10MB" | "DLT_FRELAY" | "DLT_C_HDLC" | "DLT_PPP_SERIAL";
    };
    Packet: {
      /** @description In the capture, from 1 on */
      number: number;
      /** @description Seconds since 1970, to the microsecond */
      time: number;
      source: string;
      destination: string;
      protocol: string;
      /** @description Octets on the link */
      length: number;
      summary: string;
    } | {
      /** @description Packets that are not told in this place */
      skipped: number;
    };
    Capture: {
      file_name: string;
      /** @description The link whose capture it is; null: none any more */
      link_id: string | null;
      capturing: boolean;
      bytes: number;
      /** Format: date-time */
      modified_at: string;
    };
    PacketSearch: {
      /** @description Packets that were found in the file up to now */
      total: number;
      /** @description Of these were looked at */
      scanned: number;
      /** @description All of the file was looked at; otherwise ask again */
      complete: boolean;
      decoded_by: "topolog" | "tshark";
      found: number;
      /** @description Capture files that were looked at */
      captures: number;
      packets: {
        file_name: string;
        /** @description The link whose capture it is; null: none any more */
        link_id: string | null;
        /** @description In the capture, from 1 on */
        number: number;
        /** @description Seconds since 1970, to the microsecond */
        time: number;
        source: string;
        destination: string;
        protocol: string;
        /** @description Octets on the link */
        length: number;
        summary: string;
      }[];
    };
    PacketPage: {
      /** @description Packets that were found in the file up to now */
      total: number;
      /** @description Of these were looked at */
      scanned: number;
      /** @description All of the file was looked at; otherwise ask again */
      complete: boolean;
      decoded_by: "topolog" | "tshark";
      /** @description Packets that the filter lets through */
      found: number;
      packets: {
        /** @description In the capture, from 1 on */
        number: number;
        /** @description Seconds since 1970, to the microsecond */
        time: number;
        source: string;
        destination: string;
        protocol: string;
        /** @description Octets on the link */
        length: number;
        summary: string;
      }[];
    };
    DecodedPacket: {
      /** @description In the capture, from 1 on */
      number: number;
      /** @description Seconds since 1970, to the microsecond */
      time: number;
      source: string;
      destination: string;
      protocol: string;
      /** @description Octets on the link */
      length: number;
      summary: string;
      decoded_by: "topolog" | "tshark";
      /** @description Who could decode it here */
      decoders: ("topolog" | "tshark")[];
      /** @description Base64 */
      bytes: string;
      fields: components["schemas"]["PacketField"][];
      /** @description Filter of what its ends say to each other */
      conversation: string | null;
      /** @description It is of a conversation that can be followed */
      followed: boolean;
    };
    PacketField: {
      /** @description As a filter calls it */
      name: string;
      label: string;
      text: string;
      /** @description Octet of the frame where it begins */
      at: number;
      length: number;
      fields: components["schemas"]["PacketField"][];
    };
    Conversation: {
      /** @description Packets that were found in the file up to now */
      total: number;
      /** @description Of these were looked at */
      scanned: number;
      /** @description All of the file was looked at; otherwise ask again */
      complete: boolean;
      decoded_by: "topolog" | "tshark";
      filter: string;
      ends: [
        {
          address: string;
          port: number | null;
        },
        {
          address: string;
          port: number | null;
        }
      ];
      parts: {
        number: number;
        /** @description Seconds since 1970 */
        time: number;
        /** @description 0: the first end says it, 1: the second */
        end: number;
        /** @description Base64 */
        bytes: string;
      }[];
      /** @description There is more than this */
      cut: boolean;
    };
    Conversations: {
      /** @description Packets that were found in the file up to now */
      total: number;
      /** @description Of these were looked at */
      scanned: number;
      /** @description All of the file was looked at; otherwise ask again */
      complete: boolean;
      decoded_by: "topolog" | "tshark";
      conversations: {
        protocol: string;
        ends: [
          {
            address: string;
            port: number | null;
          },
          {
            address: string;
            port: number | null;
          }
        ];
        /** @description From the first end to the second, and back */
        frames: [
          number,
          number
        ];
        /** @description From the first end to the second, and back */
        octets: [
          number,
          number
        ];
        /** @description Seconds since 1970 */
        first: number;
        /** @description Seconds since 1970 */
        last: number;
        filter: string;
      }[];
      /** @description Packets of conversations that are too many to be kept */
      more: number;
    };
    PacketJourney: {
      file_name: string;
      /** @description The link whose capture it is; null: none any more */
      link_id: string | null;
      number: number;
      /** @description Seconds since 1970 */
      time: number;
    }[];
    Drawing: {
      /** @description Never changes. */
      drawing_id: string;
      /** @description That it belongs to. */
      project_id: string;
      /** @description Where it is on the map, from its middle to the right. */
      x: number;
      /** @description Where it is on the map, from its middle down. */
      y: number;
      /** @description A higher layer covers a lower one. */
      z: number;
      /** @description Clockwise. */
      rotation: number;
      /** @description It cannot be moved or deleted. */
      locked: boolean;
      /** @description The drawing as SVG. */
      svg: string;
    };
    DrawingCreate: {
      /** Format: uuid */
      drawing_id?: string;
      x?: number;
      y?: number;
      z?: number;
      rotation?: number;
      locked?: boolean;
      svg?: string;
      readonly project_id?: unknown;
    };
    DrawingUpdate: {
      x?: number;
      y?: number;
      z?: number;
      rotation?: number;
      locked?: boolean;
      svg?: string;
      readonly drawing_id?: unknown;
      readonly project_id?: unknown;
    };
    Check: {
      check_id: string;
      /** @description Its name, or what it says as a sentence */
      title: string;
      result: {
        /**
         * @description In the last run of the lab; unknown: nothing was told of it yet
         * @enum {string}
         */
        verdict: "met" | "broken" | "unknown";
        /** @description The lab runs: it is looked at now */
        running: boolean;
        /** @description When the verdict changed last, ISO time */
        at: string | null;
        /** @description The same since the start of the lab, in milliseconds */
        after_ms: number | null;
        /** @description Of the event that says so, which has the evidence */
        position: number | null;
        /** @description What was found, as a sentence; before there is a verdict, at the last look */
        text: string | null;
        /** @description The last look of a lab that runs, whether it changed the verdict or not */
        last: {
          at: string;
          holds: boolean | null;
          text: string;
        } | null;
        /** @description How many times it broke in this run */
        broken: number;
      };
      /** @description What people call it. */
      name?: string;
      /** @description One node reaches another. */
      reach?: {
        /** @description Node that asks: its name or node_id. */
        from: string;
        /** @description Node that is to answer, by name or node_id, or an address. */
        to: string;
        /** @description It must not be reached. */
        not?: boolean;
        /** @description Octets of data in the request; 56 if absent. */
        size?: number;
      };
      /** @description A console shows something. */
      console?: {
        /** @description Whose console: its name or node_id. */
        node: string;
        /** @description A line that is typed for each look. Absent: what the console shows by itself. */
        type?: string;
        /** @description Text that must be in what follows. */
        shows?: string;
        /** @description Regular expression that must match what follows; ^ and $ are those of a line. */
        matches?: string;
        /** @description It must not be there. */
        not?: boolean;
      };
      /** @description A frame passes a link, or never does. */
      capture?: {
        /** @description On which frames are looked at. */
        link: string | [
          string,
          string
        ];
        /** @description Which frames: an expression of pcap-filter, such as net 10.0.9.0/24. */
        filter: string;
        /**
         * @description never: no such frame may pass; seen: one must.
         * @enum {string}
         */
        is: "never" | "seen";
      };
      /** @description A node has a state. */
      state?: {
        /** @description Its name or node_id. */
        node: string;
        /**
         * @description State that it must have.
         * @enum {string}
         */
        is: "started" | "stopped" | "suspended";
      };
      /** @description Traffic of a link is within bounds. */
      counter?: {
        /** @description Whose traffic is counted. */
        link: string | [
          string,
          string
        ];
        /**
         * @description What is counted: of both directions together, where no node is named that sends it.
         * @enum {string}
         */
        of: "frames" | "octets" | "dropped";
        /** @description Only what this node sends: its name or node_id. */
        from?: string;
        /** @description More than this, since the project was opened. */
        over?: number;
        /** @description Less than this, since the project was opened. */
        under?: number;
      };
      /** @description A command of yours ends well. */
      exec?: {
        /** @description In which it runs: its name or node_id. Absent: on the machine of the server. */
        node?: string;
        /** @description Command line of a shell. It holds if it ends as asked for, with 0 if nothing is. */
        run: string;
        /** @description Exit code that it ends with; 0 if absent. */
        code?: number;
        /** @description Values of its output that the rest is about, such as neighbors.*.state or peers['10.0.0.2'].state. */
        json?: string;
        /** @description Text that must be in the output, or in such a value. */
        shows?: string;
        /** @description Regular expression that must match the output, or such a value; ^ and $ are those of a line. */
        matches?: string;
        /** @description Such a value, exactly. */
        is?: string | number | boolean;
        /** @description How many such values there are; at least one if absent. */
        count?: number;
        /** @description It must not be there. */
        not?: boolean;
        /** @description Name that is typed where its console asks for one. */
        user?: string;
        /** @description The same. Everybody who may see the lab can read it. */
        password?: string;
        /** @description Longest time that it may take; 10 s if absent. */
        timeout?: string | number;
      };
      /** @description Few enough probes are lost. */
      loss?: {
        /** @description Node that asks: its name or node_id. */
        from: string;
        /** @description Node that is to answer, by name or node_id, or an address. */
        to: string;
        /** @description Share of probes that may be lost, less than this. */
        under: number;
        /** @description Sent for each look; 100 if absent. */
        probes?: number;
      };
      /** @description A router of FRR has its neighbors of OSPF. */
      ospf?: {
        /** @description Its name or node_id. */
        node: string;
        /** @description How many are Full; at least one if absent. */
        neighbors?: number;
      };
      /** @description A router of FRR has its neighbors of BGP. */
      bgp?: {
        /** @description Its name or node_id. */
        node: string;
        /** @description How many are Established; at least one if absent. */
        neighbors?: number;
      };
      /** @description A port of a bridge of Linux carries a VLAN. */
      vlan?: {
        /** @description Its name or node_id. */
        node: string;
        /** @description Port of a bridge of the node, such as eth1. */
        interface: string;
        /** @description That it carries. */
        vlan: number;
      };
      /** @description A router of FRR has its role in VRRP. */
      vrrp?: {
        /** @description Its name or node_id. */
        node: string;
        /** @description Number of the virtual router (VRID). */
        group: number;
        /**
         * @description Role that it must have.
         * @enum {string}
         */
        is: "Master" | "Backup";
      };
      /** @description When it is looked at first, from the start of the lab; at once if absent. */
      first?: string | number;
      /** @description Time from one look to the next; 1 s if absent. */
      every?: string | number;
      /** @description How long it is looked at, from the first time; as long as the lab runs if absent. */
      for?: string | number;
      /** @description Time from the start of the lab until which it need not hold yet. */
      within?: string | number;
      /** @description Time from the start of the lab before which it must hold once. */
      before?: string | number;
      /** @description Weather of this name, while it lasts. */
      during?: string;
      /** @description What it counts in a stage; 1 if absent. */
      points?: number;
    };
    CheckCreate: {
      readonly check_id?: unknown;
      readonly title?: unknown;
      readonly result?: unknown;
      name?: string;
      reach?: {
        from: string;
        to: string;
        not?: boolean;
        size?: number;
      };
      console?: {
        node: string;
        type?: string;
        shows?: string;
        matches?: string;
        not?: boolean;
      };
      capture?: {
        link: string | [
          string,
          string
        ];
        filter: string;
        is: "never" | "seen";
      };
      state?: {
        node: string;
        is: "started" | "stopped" | "suspended";
      };
      counter?: {
        link: string | [
          string,
          string
        ];
        of: "frames" | "octets" | "dropped";
        from?: string;
        over?: number;
        under?: number;
      };
      exec?: {
        node?: string;
        run: string;
        code?: number;
        json?: string;
        shows?: string;
        matches?: string;
        is?: string | number | boolean;
        count?: number;
        not?: boolean;
        user?: string;
        password?: string;
        timeout?: string | number;
      };
      loss?: {
        from: string;
        to: string;
        under: number;
        probes?: number;
      };
      ospf?: {
        node: string;
        neighbors?: number;
      };
      bgp?: {
        node: string;
        neighbors?: number;
      };
      vlan?: {
        node: string;
        interface: string;
        vlan: number;
      };
      vrrp?: {
        node: string;
        group: number;
        is: "Master" | "Backup";
      };
      first?: string | number;
      every?: string | number;
      for?: string | number;
      within?: string | number;
      before?: string | number;
      during?: string;
      points?: number;
    };
    Finding: {
      /** @description null: nobody can say now */
      holds: boolean | null;
      text: string;
      evidence: {
        at?: string;
        console?: string;
        frame?: {
          link_id: string;
          from: string | null;
          number: number;
          octets: number;
          head: string;
        };
        probes?: {
          to: string;
          sent: number;
          lost: number;
          rtt_ms: number | null;
          why: string | null;
        };
        state?: string;
        count?: number;
        output?: string;
        code?: number | null;
      };
    };
    Stage: {
      name: string;
      is_unlocked: boolean;
      is_passed: boolean;
      /** @description Of checks that were met in time; 0 while it is locked */
      points: number;
      of: number;
      /** @description Since the start of the lab */
      deadline: string | null;
      checks: {
        /** @description null: there is no check of this name */
        check_id: string | null;
        name: string;
        points: number;
        /** @description Of the event that met it; null: none did in time */
        position: number | null;
      }[];
    };
    Batch: {
      steps: ({
        /** @constant */
        action: "create";
        type: "node" | "link" | "drawing";
        record: {
          [key: string]: unknown;
        };
      } | {
        /** @constant */
        action: "update";
        type: "node" | "link" | "drawing";
        /** Format: uuid */
        id: string;
        record: {
          [key: string]: unknown;
        };
      } | {
        /** @constant */
        action: "delete";
        type: "node" | "link" | "drawing";
        /** Format: uuid */
        id: string;
      })[];
    };
    BatchResult: {
      results: (components["schemas"]["Node"] | components["schemas"]["Link"] | components["schemas"]["Drawing"] | null)[];
    };
    LabPlan: {
      /** @description null: it is still to be made */
      project_id: string | null;
      name: string;
      changes: {
        action: "add" | "change" | "remove";
        type: "project" | "node" | "link" | "drawing";
        /** @description Of a link: its two ends */
        name: string;
        /** @description Where a node runs; null: it is no node */
        compute_id: string | null;
        /** @description It runs, and is stopped for this and started again */
        restart: boolean;
        fields: {
          field: string;
          from: unknown;
          to: unknown;
        }[];
      }[];
      /** @description Parts of the text that are interpreted differently, and likely mistakes, with their lines */
      notes: string[];
    };
    LabApplied: {
      project_id: string;
      name: string;
      changes: {
        action: "add" | "change" | "remove";
        type: "project" | "node" | "link" | "drawing";
        /** @description Of a link: its two ends */
        name: string;
        /** @description Where a node runs; null: it is no node */
        compute_id: string | null;
        /** @description It runs, and is stopped for this and started again */
        restart: boolean;
        fields: {
          field: string;
          from: unknown;
          to: unknown;
        }[];
      }[];
      /** @description Parts of the text that are interpreted differently, and likely mistakes, with their lines */
      notes: string[];
      /** @description Of the event that all of it has as its cause; null: there was nothing to do */
      position: number | null;
      /** @description Nodes that were to be started and were not, and what else could not be done outside the records */
      failed: {
        name: string;
        message: string;
      }[];
      /** @description Names of nodes that have started because all were to */
      started: string[];
    };
    Events: {
      events: components["schemas"]["Fact"][];
      next: number | null;
    };
    Fact: {
      position: number;
      project_id: string | null;
      version: number;
      type: string;
      v: number;
      at: string;
      by: {
        principal: string;
        address: string | null;
        agent: string | null;
      } & {
        [key: string]: unknown;
      };
      request_id: string | null;
      cause: number | null;
      data: {
        [key: string]: unknown;
      };
      prev: string;
      hash: string;
    } & {
      [key: string]: unknown;
    };
    ObjectDiff: {
      collection: "project" | "node" | "link" | "drawing" | "snapshot";
      id: string;
      name: string | null;
      change: "added" | "removed" | "changed";
      fields: {
        field: string;
        from: unknown;
        to: unknown;
      }[];
    };
    History: {
      events: ({
        position: number;
        project_id: string | null;
        version: number;
        type: string;
        v: number;
        at: string;
        by: {
          principal: string;
          address: string | null;
          agent: string | null;
        } & {
          [key: string]: unknown;
        };
        request_id: string | null;
        cause: number | null;
        data: {
          [key: string]: unknown;
        };
        prev: string;
        hash: string;
        causes: components["schemas"]["Fact"][];
      } & {
        [key: string]: unknown;
      })[];
      next: number | null;
    };
    TimeLine: {
      first: {
        /** @description Milliseconds since 1970 */
        at: number;
        position: number;
      } | null;
      last: {
        /** @description Milliseconds since 1970 */
        at: number;
        position: number;
      } | null;
      /** @description What the filter lets through, of all times */
      entries: number;
      /** @description What of that is in the span */
      shown: number;
      /** @description Times between which the buckets are, one more than there are; idle time of more than 10 s counts as 10 s */
      edges: number[];
      /** @description Milliseconds of the span, with idle time cut short */
      busy: number;
      lanes: {
        lane: "start" | "stop" | "failure" | "warning" | "met" | "broken" | "weather" | "person" | "people";
        person: string | null;
        counts: number[];
      }[];
      /** @description The longest idle times, up to 200 */
      gaps: {
        /** @description Milliseconds since 1970 */
        from: number;
        /** @description Milliseconds since 1970 */
        to: number;
      }[];
      /** @description null: there are more than `single` */
      marks: {
        /** @description Milliseconds since 1970 */
        at: number;
        /** @description Of its first event */
        position: number;
        /** @description Position of its last event */
        last: number;
        /** @description Events of one request that say the same are one entry */
        count: number;
        kind: "start" | "stop" | "failure" | "warning" | "met" | "broken" | "weather" | "add" | "change" | "move" | "remove" | "capture" | "other";
        /** @description Who asked for it; `system` where nobody did */
        person: string;
        object: {
          collection: "node" | "link" | "drawing" | "snapshot";
          id: string;
        } | null;
      }[] | null;
      /** @description Made in the span and still there, whatever the filter; up to 200, the newest */
      snapshots: {
        /** @description Milliseconds since 1970 */
        at: number;
        position: number;
        id: string;
        name: string;
      }[];
      people: {
        name: string;
        count: number;
      }[];
      /** @description Events that are in the index; fewer than `of` while it is made */
      indexed: number;
      of: number;
    };
    TimeLineEntries: {
      total: number;
      /** @description How many entries of all times are before the first one of the page */
      index: number;
      entries: {
        /** @description Milliseconds since 1970 */
        at: number;
        /** @description Of its first event */
        position: number;
        /** @description Position of its last event */
        last: number;
        /** @description Events of one request that say the same are one entry */
        count: number;
        kind: "start" | "stop" | "failure" | "warning" | "met" | "broken" | "weather" | "add" | "change" | "move" | "remove" | "capture" | "other";
        /** @description Who asked for it; `system` where nobody did */
        person: string;
        object: {
          collection: "node" | "link" | "drawing" | "snapshot";
          id: string;
        } | null;
        type: string;
        /** @description What the object was called then */
        name: string | null;
        /** @description What it was called before, if that was otherwise */
        former: string | null;
        ends: {
          name: string;
          port: string;
        }[];
        /** @description Milliseconds since it was asked for */
        took: number | null;
        /** @description Of the first event; long texts and lists are cut */
        data: {
          [key: string]: unknown;
        };
      }[];
      /** @description Events that are in the index; fewer than `of` while it is made */
      indexed: number;
      of: number;
    };
    TimeLineObject: {
      collection: "node" | "link" | "drawing" | "snapshot";
      id: string;
      name: string | null;
    };
    Why: {
      from: string;
      to: string;
      /** @description Last position that is looked at */
      position: number;
      /** @description null: it is not known */
      reaches: boolean | null;
      /** @description The answer in words */
      sentence: string;
      /** @description Where it ends; null: nowhere */
      obstacle: {
        code: "project_closed" | "node_stopped" | "node_suspended" | "node_unreachable" | "node_simulated" | "node_gone" | "no_link" | "link_gone" | "link_suspended" | "link_filter" | "vlan" | "tagged" | "circuit" | "no_address" | "no_route" | "no_gateway" | "no_forwarding" | "duplicate_address" | "loop" | "no_path";
        /** @description The same for as long as it is there */
        key: string;
        /** @description What is the matter, without a full stop */
        sentence: string;
        node_id?: string;
        link_id?: string;
        /**
         * @description The packet may pass nonetheless
         * @constant
         */
        maybe?: true;
        /** @description The event that made it so; null: the log does not have it */
        since: {
          position: number;
          at: string;
          type: string;
          /** @description Who asked for it; `system` where nobody did */
          by: string;
          sentence: string;
        } | null;
      } | null;
      /** @description There */
      request: {
        hops: {
          node_id: string;
          name: string;
          /** @description The link by which it comes here; null at the beginning */
          link_id: string | null;
          /** @description Name of the port by which it comes */
          in: string | null;
          /** @description Name of the port by which it goes on; null where it ends */
          out: string | null;
          vlan: number | null;
          /** @description What the node does with packets is not known: a real system */
          unknown: boolean;
        }[];
        obstacles: {
          code: "project_closed" | "node_stopped" | "node_suspended" | "node_unreachable" | "node_simulated" | "node_gone" | "no_link" | "link_gone" | "link_suspended" | "link_filter" | "vlan" | "tagged" | "circuit" | "no_address" | "no_route" | "no_gateway" | "no_forwarding" | "duplicate_address" | "loop" | "no_path";
          /** @description The same for as long as it is there */
          key: string;
          /** @description What is the matter, without a full stop */
          sentence: string;
          node_id?: string;
          link_id?: string;
          /**
           * @description The packet may pass nonetheless
           * @constant
           */
          maybe?: true;
        }[];
        notes: string[];
      };
      /** @description And back */
      reply: {
        hops: {
          node_id: string;
          name: string;
          /** @description The link by which it comes here; null at the beginning */
          link_id: string | null;
          /** @description Name of the port by which it comes */
          in: string | null;
          /** @description Name of the port by which it goes on; null where it ends */
          out: string | null;
          vlan: number | null;
          /** @description What the node does with packets is not known: a real system */
          unknown: boolean;
        }[];
        obstacles: {
          code: "project_closed" | "node_stopped" | "node_suspended" | "node_unreachable" | "node_simulated" | "node_gone" | "no_link" | "link_gone" | "link_suspended" | "link_filter" | "vlan" | "tagged" | "circuit" | "no_address" | "no_route" | "no_gateway" | "no_forwarding" | "duplicate_address" | "loop" | "no_path";
          /** @description The same for as long as it is there */
          key: string;
          /** @description What is the matter, without a full stop */
          sentence: string;
          node_id?: string;
          link_id?: string;
          /**
           * @description The packet may pass nonetheless
           * @constant
           */
          maybe?: true;
        }[];
        notes: string[];
      };
      notes: string[];
      /** @description How to find out, where it is not known */
      settled_by: string[];
      /** @description What became of a ping that was sent; null: nobody can say */
      tried?: {
        reaches: boolean | null;
        text: string;
      };
    };
    Edits: {
      /** @description Position of the edit that is undone next */
      undo: number | null;
      /** @description Position of the edit that is redone next */
      redo: number | null;
      edits: components["schemas"]["Edit"][];
    };
    Edit: {
      /** @description Of its first event: names the edit */
      position: number;
      at: string;
      by: {
        principal: string;
        address: string | null;
        agent: string | null;
      };
      action: "create" | "delete" | "move" | "rename" | "change";
      /** @description The first ten that it touched, as they were called then */
      objects: {
        type: "project" | "node" | "link" | "drawing";
        id: string;
        action: "create" | "delete" | "move" | "rename" | "change";
        /** @description null: it has none */
        name: string | null;
        /** @description Its former name, where it was renamed */
        was: string | null;
        /** @description What was changed of it */
        fields: string[];
      }[];
      counts: {
        project: number;
        node: number;
        link: number;
        drawing: number;
      };
      undone: boolean;
      can_undo: boolean;
      can_redo: boolean;
      /** @description Why it can be neither undone nor redone */
      why_not: string | null;
    };
    Undone: {
      edit: {
        /** @description Of its first event: names the edit */
        position: number;
        at: string;
        by: {
          principal: string;
          address: string | null;
          agent: string | null;
        };
        action: "create" | "delete" | "move" | "rename" | "change";
        /** @description The first ten that it touched, as they were called then */
        objects: {
          type: "project" | "node" | "link" | "drawing";
          id: string;
          action: "create" | "delete" | "move" | "rename" | "change";
          /** @description null: it has none */
          name: string | null;
          /** @description Its former name, where it was renamed */
          was: string | null;
          /** @description What was changed of it */
          fields: string[];
        }[];
        counts: {
          project: number;
          node: number;
          link: number;
          drawing: number;
        };
      };
      changes: {
        type: "project" | "node" | "link" | "drawing";
        id: string;
        /** @description null: it has none */
        name: string | null;
        action: "create" | "delete" | "change";
        fields: {
          field: string;
          from: unknown;
          to: unknown;
        }[];
      }[];
      /** @description What stays as it is, and why */
      left: {
        type: "project" | "node" | "link" | "drawing";
        id: string;
        /** @description null: it has none */
        name: string | null;
        fields: string[];
        why: "changed" | "deleted" | "exists" | "linked" | "no_end" | "not_kept";
        by: {
          principal: string;
          address: string | null;
          agent: string | null;
        } | null;
      }[];
    };
    Restored: {
      /** @description The moment */
      position: number;
      changes: {
        type: "project" | "node" | "link" | "drawing";
        id: string;
        /** @description null: it has none */
        name: string | null;
        action: "create" | "delete" | "change";
        fields: {
          field: string;
          from: unknown;
          to: unknown;
        }[];
      }[];
      /** @description What stays as it is, and why */
      left: {
        type: "project" | "node" | "link" | "drawing";
        id: string;
        /** @description null: it has none */
        name: string | null;
        fields: string[];
        why: "changed" | "deleted" | "exists" | "linked" | "no_end" | "not_kept";
        by: {
          principal: string;
          address: string | null;
          agent: string | null;
        } | null;
      }[];
    };
    StoreVerdict: {
      ok: boolean;
      facts: number;
      records: number;
      /** @description Events that an earlier repair has left out */
      lost: number;
      /** @description Labs whose events have secrets, as those of earlier versions do; null: templates */
      secrets?: {
        project_id: string | null;
        name: string;
        events: number;
      }[];
      /** @description What was found first; null when all is well */
      problem: {
        position: number | null;
        where: string;
        message: string;
      } | null;
      /** @description All that does not fit, up to 1000 */
      problems: {
        position: number | null;
        where: string;
        message: string;
      }[];
    };
    ReplayCreate: {
      /** @description Times as fast as it was recorded; 1 when absent */
      speed?: number;
      /** @description Without the recorded gaps */
      as_fast?: boolean;
      engine?: "auto" | "simulated";
      from?: number;
      to?: number;
      /** @description Whether the replay’s own project stays afterwards */
      keep?: boolean;
    };
    Replay: {
      replay_id: string;
      source_project_id: string;
      project_id: string;
      name: string;
      state: "running" | "done" | "failed" | "cancelled";
      started_at: string;
      ended_at: string | null;
      progress: {
        step: number;
        of: number;
        current: string;
        left_ms: number | null;
      };
      performed: number | null;
      differences: {
        step: number | null;
        request: string | null;
        what: string;
        recorded: unknown;
        now: unknown;
      }[] | null;
      notes: string[];
      failure: string | null;
    };
    Template: {
      /** @description Never changes. */
      template_id: string;
      /** @description What its nodes are. */
      template_type: string;
      /** @description What the template is called. */
      name: string;
      /** @description Machine of its nodes. Empty: the project’s. */
      compute_id: string | null;
      /** @description Such as PC{0}: {0} is a running number, {name} the name of the template. */
      default_name_format: string;
      /** @description Picture of its nodes on the map. */
      symbol: string;
      /**
       * @description Under which it is listed.
       * @enum {string}
       */
      category: "router" | "switch" | "guest" | "firewall";
      /** @description It cannot be changed or deleted. */
      builtin: boolean;
    } & {
      [key: string]: unknown;
    };
    TemplateCreate: {
      name: string;
      template_type: "simple_pc" | "ethernet_switch" | "ethernet_hub" | "frame_relay_switch" | "atm_switch" | "trace_tool" | "nat" | "cloud" | "machine_emulator" | "container" | "router_emulator" | "switch_router_emulator" | "desktop_vm_a" | "desktop_vm_b" | "simple_router" | "vpcs" | "traceng" | "qemu" | "docker" | "dynamips" | "iou" | "virtualbox" | "vmware";
      /** Format: uuid */
      template_id?: string;
      compute_id?: string | null;
      default_name_format?: string | "" | null;
      symbol?: string | "" | null;
      category?: ("router" | "switch" | "guest" | "firewall") | null;
      readonly builtin?: unknown;
    } & {
      [key: string]: unknown;
    };
    TemplateUpdate: {
      name?: string;
      default_name_format?: string | "" | null;
      symbol?: string | "" | null;
      category?: ("router" | "switch" | "guest" | "firewall") | null;
      readonly builtin?: unknown;
    } & {
      [key: string]: unknown;
    };
    CatalogueImage: {
      node_type: string;
      filename: string;
      path: string;
      filesize: number;
      md5sum: string;
      /** @description The first hundred that need it */
      used_by: {
        what: "node" | "template";
        id: string;
        name: string;
        project_id: string | null;
        /** @description Name of its lab */
        project: string | null;
      }[];
      /** @description How many need it */
      uses: number;
    };
    CatalogueSymbol: {
      symbol_id: string;
      /** @description The first hundred that need it */
      used_by: {
        what: "node" | "template";
        id: string;
        name: string;
        project_id: string | null;
        /** @description Name of its lab */
        project: string | null;
      }[];
      /** @description How many need it */
      uses: number;
    };
    Appliance: {
      name: string;
      vendor: string | null;
      description: string | null;
      status: string | null;
      registry_version: number;
      documentation_url: string | null;
      product_url: string | null;
      usage: string | null;
      versions: {
        /** @description null: the file names none */
        name: string | null;
        images: {
          slot: string;
          filename: string;
          md5sum: string | null;
          filesize: number | null;
          /** @description Of what is downloaded; sum and size are those of what is in it */
          compression: string | null;
          download_url: string | null;
          direct_download_url: string | null;
          /** @description Name among the images of the kind; null: it is missing */
          found: string | null;
          /** @description Of a file of this name that is another one */
          other_md5sum: string | null;
        }[];
        /** @description What of the file is left out */
        problems: {
          field: string;
          message: string;
        }[];
        node_type: string;
        /** @description As POST /v2/templates takes it; null: none can be made, and the problems say why */
        template: ({
          name: string;
          template_type: string;
        } & {
          [key: string]: unknown;
        }) | null;
      }[];
    };
    Frame: {
      action: "project.created" | "project.updated" | "project.deleted" | "project.opened" | "project.closed";
      event: components["schemas"]["Project"];
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "node.created" | "node.updated" | "node.deleted";
      event: components["schemas"]["Node"];
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "link.created" | "link.updated" | "link.deleted";
      event: components["schemas"]["Link"];
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "drawing.created" | "drawing.deleted";
      event: components["schemas"]["Drawing"];
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "drawing.updated";
      event: {
        /** @description Never changes. */
        drawing_id: string;
        /** @description That it belongs to. */
        project_id: string;
        /** @description Where it is on the map, from its middle to the right. */
        x: number;
        /** @description Where it is on the map, from its middle down. */
        y: number;
        /** @description A higher layer covers a lower one. */
        z: number;
        /** @description Clockwise. */
        rotation: number;
        /** @description It cannot be moved or deleted. */
        locked: boolean;
        /** @description The drawing as SVG. */
        svg?: string;
      };
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "template.created" | "template.updated" | "template.deleted";
      event: components["schemas"]["Template"];
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "compute.created" | "compute.updated" | "compute.deleted";
      event: components["schemas"]["Compute"];
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "snapshot.restored";
      event: {
        project_id: string;
        snapshot_id: string;
      };
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "run.begun" | "run.ended";
      event: {
        project_id: string;
        at: string;
      };
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "check.met" | "check.broken";
      event: {
        check_id: string;
        project_id: string;
        name: string;
        after_ms: number;
        text: string;
        evidence: {
          at?: string;
          console?: string;
          frame?: {
            link_id: string;
            from: string | null;
            number: number;
            octets: number;
            head: string;
          };
          probes?: {
            to: string;
            sent: number;
            lost: number;
            rtt_ms: number | null;
            why: string | null;
          };
          state?: string;
          count?: number;
          output?: string;
          code?: number | null;
        };
        at: string;
      };
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "weather.updated";
      event: {
        project_id: string;
        at: string;
      };
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "log.error" | "log.warning" | "log.info";
      event: {
        message: string;
      };
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "project.listeners";
      event: {
        count: number;
        listeners: {
          id: number;
          name: string;
          address: string | null;
          since: string;
        }[];
        /** @description The id of who is told */
        you: number;
      };
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "listener.updated";
      event: {
        /** @description On the map */
        pointer: {
          x: number;
          y: number;
        } | null;
        selected: string[];
        /** @description Where objects are dragged to at the moment */
        moving: {
          id: string;
          x: number;
          y: number;
        }[];
        /** @description What is seen of the map */
        view: {
          x: number;
          y: number;
          width: number;
          height: number;
        } | null;
        /** @description Nodes whose consoles are open, the one in front first */
        consoles: string[];
        /** @description Asks the others to follow */
        leads: boolean;
        /** @description Of the listener that shows it */
        id: number;
      };
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "link.traffic";
      event: {
        /** @description Between the two looks that this is of */
        seconds: number;
        links: {
          link_id: string;
          frames: [
            number,
            number
          ];
          bytes: [
            number,
            number
          ];
          dropped: [
            number,
            number
          ];
          delayed: [
            number,
            number
          ];
        }[];
      };
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "file.written";
      event: {
        /** @description Whose file it is; null: the project’s */
        node_id: string | null;
        path: string;
        bytes: number;
        /** @description Of its content, which is there as soon as it has this */
        sha256: string;
      };
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "project.progress";
      event: {
        project_id: string;
        what: "import" | "export" | "duplicate" | "upload";
        /** @description Octets */
        done: number;
        of: number;
        /** @description Seconds */
        left: number | null;
        ended: boolean;
      };
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "ping";
      event: {
        cpu_usage_percent: number;
        memory_usage_percent: number;
      };
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    } | {
      action: "reload";
      event: {
        reason: string;
      };
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
    };
    ComputeFrame: {
      action: string;
      event: {
        [key: string]: unknown;
      };
      /** @description Of the event in the log */
      position: number;
      /** @description How many frames of the same position follow */
      more?: number;
      project_id: string | null;
    };
    Snapshot: {
      snapshot_id: string;
      project_id: string;
      name: string;
      filename: string;
      description: string;
      /** @description Seconds since 1970, UTC */
      created_at: number;
    };
    SnapshotCreate: {
      name: string;
      /** Format: uuid */
      snapshot_id?: string;
      /** @description Ignored: the server says what it is */
      description?: unknown;
    };
    Weather: {
      project_id: string;
      state: "off" | "on" | "paused";
      /** @description Of what happens at random; null: it is off */
      seed: number | null;
      /** @description Its time at its last event, in seconds; null: it is off */
      time: number | null;
      /** @description When its time was 0, ISO time; null: it is off or paused */
      since: string | null;
      /** @description When something changes next, on its time in seconds; null: it is off, or nothing does */
      next: number | null;
      /** @description Names of what is there */
      storms: string[];
      /** @description What it does to links, over what they have of their own */
      links: {
        link_id: string;
        filters: {
          [key: string]: (number | string)[];
        };
        suspend: boolean;
      }[];
      /** @description Nodes that it has ended, and starts again */
      down: string[];
      entries: components["schemas"]["WeatherEntry"][];
    };
    WeatherEntry: {
      weather_id: string;
      name?: string;
      /** @description A duration, such as 10s */
      at: string;
      /** @description A duration, such as 10s */
      for?: string;
      repeat?: {
        /** @description A duration, such as 10s */
        every: string;
        times?: number;
      };
      links?: string[];
      filters?: {
        [key: string]: (number | string)[];
      };
      ramp?: {
        from?: {
          [key: string]: (number | string)[];
        };
        to: {
          [key: string]: (number | string)[];
        };
        steps: number;
      };
      /** @constant */
      suspend?: true;
      flap?: {
        /** @description A duration, such as 10s */
        down: string;
        /** @description A duration, such as 10s */
        up: string;
      };
      trace?: {
        file?: string;
        points: {
          time: number;
          rate?: number;
          delay?: number;
          loss?: number;
        }[];
      };
      crash?: string[];
    };
    WeatherEntryInput: {
      /** @description Of a storm: checks say during which they hold. */
      name?: string;
      /** @description When it begins, from the start of the weather. */
      at?: string | number;
      /** @description How long it lasts; absent: as long as its trace, or until the weather ends. */
      for?: string | number;
      /** @description It comes again and again. */
      repeat?: {
        /** @description From one beginning to the next. */
        every: string | number;
        /** @description Altogether; absent: until the weather is ended. */
        times?: number;
      };
      /** @description By their ends or link_id; absent: all links. */
      links?: ([
        string,
        string
      ] | string)[];
      /** @description That its links have, over their own. */
      filters?: {
        [key: string]: (number | string) | (number | string)[];
      };
      /** @description Filters whose values change evenly. */
      ramp?: {
        /** @description Filters at its beginning; absent: their values are 0. */
        from?: {
          [key: string]: (number | string) | (number | string)[];
        };
        /** @description Filters at its end. */
        to: {
          [key: string]: (number | string) | (number | string)[];
        };
        /**
         * @description Changes on the way, at equal distances.
         * @default 10
         */
        steps?: number;
      };
      /**
       * @description Nothing passes its links.
       * @constant
       */
      suspend?: true;
      /** @description Its links go down and up. */
      flap?: {
        /** @description How long the link is cut each time. */
        down: string | number;
        /** @description How long it is whole in between. */
        up: string | number;
      };
      /** @description Rate, delay and loss, as they were measured. */
      trace?: {
        /** @description A text of CSV beside that of the lab: time,rate,delay,loss. */
        file?: string;
        /** @description What such a file says. */
        csv?: string;
        /** @description The same, read. */
        points?: {
          /** @description From the beginning of the trace. */
          time: number;
          /** @description Of the link. */
          rate?: number;
          /** @description Of each frame. */
          delay?: number;
          /** @description Chance of each frame. */
          loss?: number;
        }[];
      };
      /** @description Nodes by name or node_id: they end as by a crash, and start again. */
      crash?: string[];
      /**
       * Format: uuid
       * @description Never changes; absent: a new one.
       */
      weather_id?: string;
    };
    ComputeStatistics: {
      compute_id: string;
      compute_name: string;
      statistics: components["schemas"]["Statistics"];
    };
    Statistics: {
      memory_total: number;
      memory_free: number;
      memory_used: number;
      swap_total: number;
      swap_free: number;
      swap_used: number;
      cpu_usage_percent: number;
      memory_usage_percent: number;
      swap_usage_percent: number;
      disk_usage_percent: number;
      load_average_percent: number[];
    };
    Image: {
      filename: string;
      path: string;
      filesize: number;
      md5sum: string;
    };
    Capabilities: {
      version: string;
      platform: string;
      node_types: string[];
      engines?: components["schemas"]["Engine"][];
    };
    NetworkInterface: {
      id: string;
      name: string;
      ip_address: string;
      netmask: string;
      mac_address: string;
      type: "ethernet" | "tap";
      special: boolean;
    };
    ComputeProject: {
      project_id: string;
      name: string;
      /** @description Names and values that appliances may read. */
      variables: {
        name: string;
        value?: string;
      }[] | null;
    };
    ProjectFile: {
      path: string;
      md5sum: string;
    };
    SimplePcCreate: {
      name: string;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "telnet" | "none";
      engine?: ("embedded" | "vpcs" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
      startup_script?: string | null;
    };
    SimplePcNode: {
      name: string;
      node_id: string;
      project_id: string;
      status: "stopped" | "started" | "suspended";
      console: number | null;
      console_type: "telnet" | "none";
      node_directory: string | null;
      command_line: string;
      engine?: ("embedded" | "vpcs" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    SimplePcUpdate: {
      project_id?: unknown;
      status?: unknown;
      node_directory?: unknown;
      command_line?: unknown;
      name?: string | null;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "telnet" | "none";
      engine?: ("embedded" | "vpcs" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
      startup_script?: string | null;
    };
    SimplePcStart: Record<string, never>;
    /** @description The NIO: its type and its addresses */
    Nio: {
      type: string;
    } & {
      [key: string]: unknown;
    };
    NodeCapture: {
      capture_file_name: string;
      data_link_type?: "DLT_ATM_RFC1483" | "DLT_EN10MB" | "DLT_FRELAY" | "DLT_C_HDLC" | "DLT_PPP_SERIAL";
    };
    CaptureFile: {
      pcap_file_path: string;
    };
    EthernetSwitchCreate: {
      name: string;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "none" | "telnet";
      ports_mapping?: {
        name: string;
        port_number: number;
        type: "access" | "dot1q" | "qinq";
        vlan?: number;
        ethertype?: "" | "0x8100" | "0x88A8" | "0x9100" | "0x9200";
      }[];
      engine?: ("embedded" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    EthernetSwitchNode: {
      name: string;
      node_id: string;
      project_id: string;
      status: "stopped" | "started" | "suspended";
      console: number | null;
      console_type: "none" | "telnet";
      ports_mapping: {
        name: string;
        port_number: number;
        type: "access" | "dot1q" | "qinq";
        vlan?: number;
        ethertype?: "" | "0x8100" | "0x88A8" | "0x9100" | "0x9200";
      }[];
      engine?: ("embedded" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    EthernetSwitchUpdate: {
      project_id?: unknown;
      status?: unknown;
      node_directory?: unknown;
      command_line?: unknown;
      name?: string | null;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "none" | "telnet";
      ports_mapping?: {
        name: string;
        port_number: number;
        type: "access" | "dot1q" | "qinq";
        vlan?: number;
        ethertype?: "" | "0x8100" | "0x88A8" | "0x9100" | "0x9200";
      }[];
      engine?: ("embedded" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    EthernetSwitchStart: Record<string, never>;
    EthernetHubCreate: {
      name: string;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      ports_mapping?: {
        name: string;
        port_number: number;
      }[];
      engine?: ("embedded" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    EthernetHubNode: {
      name: string;
      node_id: string;
      project_id: string;
      status: "stopped" | "started" | "suspended";
      ports_mapping: {
        name: string;
        port_number: number;
      }[];
      engine?: ("embedded" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    EthernetHubUpdate: {
      project_id?: unknown;
      status?: unknown;
      node_directory?: unknown;
      command_line?: unknown;
      name?: string | null;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      ports_mapping?: {
        name: string;
        port_number: number;
      }[];
      engine?: ("embedded" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    EthernetHubStart: Record<string, never>;
    FrameRelaySwitchCreate: {
      name: string;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      mappings?: {
        [key: string]: string;
      };
      engine?: ("embedded" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    FrameRelaySwitchNode: {
      name: string;
      node_id: string;
      project_id: string;
      status: "stopped" | "started" | "suspended";
      mappings: {
        [key: string]: string;
      };
      engine?: ("embedded" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    FrameRelaySwitchUpdate: {
      project_id?: unknown;
      status?: unknown;
      node_directory?: unknown;
      command_line?: unknown;
      name?: string | null;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      mappings?: {
        [key: string]: string;
      };
      engine?: ("embedded" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    FrameRelaySwitchStart: Record<string, never>;
    AtmSwitchCreate: {
      name: string;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      mappings?: {
        [key: string]: string;
      };
      engine?: ("embedded" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    AtmSwitchNode: {
      name: string;
      node_id: string;
      project_id: string;
      status: "stopped" | "started" | "suspended";
      mappings: {
        [key: string]: string;
      };
      engine?: ("embedded" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    AtmSwitchUpdate: {
      project_id?: unknown;
      status?: unknown;
      node_directory?: unknown;
      command_line?: unknown;
      name?: string | null;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      mappings?: {
        [key: string]: string;
      };
      engine?: ("embedded" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    AtmSwitchStart: Record<string, never>;
    TraceToolCreate: {
      name: string;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "none";
      ip_address?: string;
      default_destination?: string;
      engine?: ("embedded" | "system" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    TraceToolNode: {
      name: string;
      node_id: string;
      project_id: string;
      status: "stopped" | "started" | "suspended";
      console: number | null;
      console_type: "none";
      node_directory: string | null;
      command_line: string;
      ip_address: string;
      default_destination: string;
      engine?: ("embedded" | "system" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    TraceToolUpdate: {
      project_id?: unknown;
      status?: unknown;
      node_directory?: unknown;
      command_line?: unknown;
      name?: string | null;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "none";
      ip_address?: string;
      default_destination?: string;
      engine?: ("embedded" | "system" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    TraceToolStart: {
      destination?: string;
    };
    NatCreate: {
      project_id?: unknown;
      status?: unknown;
      node_directory?: unknown;
      command_line?: unknown;
      name?: string;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      ports_mapping?: {
        name?: string;
        port_number?: number;
        type?: string;
        interface?: string;
      }[];
      network?: string | null;
      engine?: ("slirp" | "passt" | "kernel" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    NatNode: {
      name: string;
      node_id: string;
      project_id: string;
      status: "stopped" | "started" | "suspended";
      ports_mapping: {
        name?: string;
        port_number?: number;
        type?: string;
        interface?: string;
      }[];
      network?: string | null;
      engine?: ("slirp" | "passt" | "kernel" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    NatUpdate: {
      project_id?: unknown;
      status?: unknown;
      node_directory?: unknown;
      command_line?: unknown;
      name?: string | null;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      ports_mapping?: {
        name?: string;
        port_number?: number;
        type?: string;
        interface?: string;
      }[];
      network?: string | null;
      engine?: ("slirp" | "passt" | "kernel" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    NatStart: Record<string, never>;
    CloudCreate: {
      name: string;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      ports_mapping?: ({
        name: string;
        port_number: number;
        interface: string;
        /** @constant */
        type: "ethernet";
      } | {
        name: string;
        port_number: number;
        interface: string;
        /** @constant */
        type: "tap";
      } | {
        name: string;
        port_number: number;
        /** @constant */
        type: "udp";
        lport: number;
        rhost: string;
        rport: number;
      })[];
      interfaces?: {
        [key: string]: unknown;
      }[];
      remote_console_host?: string;
      remote_console_port?: number | null;
      remote_console_type?: "telnet" | "vnc" | "spice" | "http" | "https" | "none";
      remote_console_http_path?: string;
      engine?: ("udp" | "tap" | "ethernet" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    CloudNode: {
      name: string;
      node_id: string;
      project_id: string;
      status: "stopped" | "started" | "suspended";
      node_directory: string | null;
      ports_mapping: ({
        name: string;
        port_number: number;
        interface: string;
        /** @constant */
        type: "ethernet";
      } | {
        name: string;
        port_number: number;
        interface: string;
        /** @constant */
        type: "tap";
      } | {
        name: string;
        port_number: number;
        /** @constant */
        type: "udp";
        lport: number;
        rhost: string;
        rport: number;
      })[];
      interfaces: {
        [key: string]: unknown;
      }[];
      remote_console_host: string;
      remote_console_port: number | null;
      remote_console_type: "telnet" | "vnc" | "spice" | "http" | "https" | "none";
      remote_console_http_path: string;
      engine?: ("udp" | "tap" | "ethernet" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    CloudUpdate: {
      project_id?: unknown;
      status?: unknown;
      node_directory?: unknown;
      command_line?: unknown;
      name?: string | null;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      ports_mapping?: ({
        name: string;
        port_number: number;
        interface: string;
        /** @constant */
        type: "ethernet";
      } | {
        name: string;
        port_number: number;
        interface: string;
        /** @constant */
        type: "tap";
      } | {
        name: string;
        port_number: number;
        /** @constant */
        type: "udp";
        lport: number;
        rhost: string;
        rport: number;
      })[];
      interfaces?: {
        [key: string]: unknown;
      }[];
      remote_console_host?: string;
      remote_console_port?: number | null;
      remote_console_type?: "telnet" | "vnc" | "spice" | "http" | "https" | "none";
      remote_console_http_path?: string;
      engine?: ("udp" | "tap" | "ethernet" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    CloudStart: Record<string, never>;
    MachineEmulatorCreate: {
      name: string;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "telnet" | "vnc" | "spice" | "spice+agent" | "none";
      adapter_type?: string | null;
      adapters?: number | null;
      boot_priority?: "c" | "d" | "n" | "cn" | "cd" | "dn" | "dc" | "nc" | "nd";
      cpu_throttling?: number | null;
      cpus?: number | null;
      create_config_disk?: boolean | null;
      bios_image?: string;
      cdrom_image?: string;
      hda_disk_image?: string;
      hdb_disk_image?: string;
      hdc_disk_image?: string;
      hdd_disk_image?: string;
      kernel_image?: string;
      initrd?: string;
      bios_image_md5sum?: string | null;
      cdrom_image_md5sum?: string | null;
      hda_disk_image_md5sum?: string | null;
      hdb_disk_image_md5sum?: string | null;
      hdc_disk_image_md5sum?: string | null;
      hdd_disk_image_md5sum?: string | null;
      kernel_image_md5sum?: string | null;
      initrd_md5sum?: string | null;
      hda_disk_interface?: string;
      hdb_disk_interface?: string;
      hdc_disk_interface?: string;
      hdd_disk_interface?: string;
      kernel_command_line?: string | null;
      legacy_networking?: boolean | null;
      linked_clone?: boolean;
      mac_address?: string | null;
      on_close?: ("power_off" | "shutdown_signal" | "save_vm_state") | null;
      options?: string | null;
      platform?: ("aarch64" | "alpha" | "arm" | "cris" | "i386" | "lm32" | "m68k" | "microblaze" | "microblazeel" | "mips" | "mips64" | "mips64el" | "mipsel" | "moxie" | "or32" | "ppc" | "ppc64" | "ppcemb" | "s390x" | "sh4" | "sh4eb" | "sparc" | "sparc64" | "tricore" | "unicore32" | "x86_64" | "xtensa" | "xtensaeb") | null;
      process_priority?: ("realtime" | "very high" | "high" | "normal" | "low" | "very low") | null;
      qemu_path?: string | null;
      ram?: number | null;
      replicate_network_connection_state?: boolean | null;
      tpm?: boolean | null;
      uefi?: boolean | null;
      usage?: string;
      engine?: ("qemu" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
      acpi_shutdown?: boolean | null;
    };
    MachineEmulatorNode: {
      name: string;
      node_id: string;
      project_id: string;
      status: "stopped" | "started" | "suspended";
      console: number | null;
      console_type: "telnet" | "vnc" | "spice" | "spice+agent" | "none";
      node_directory: string | null;
      command_line: string;
      adapter_type?: string;
      adapters: number;
      boot_priority: "c" | "d" | "n" | "cn" | "cd" | "dn" | "dc" | "nc" | "nd";
      cpu_throttling: number;
      cpus: number | null;
      create_config_disk: boolean;
      bios_image: string;
      cdrom_image: string;
      hda_disk_image: string;
      hdb_disk_image: string;
      hdc_disk_image: string;
      hdd_disk_image: string;
      kernel_image: string;
      initrd: string;
      bios_image_md5sum: string | null;
      cdrom_image_md5sum: string | null;
      hda_disk_image_md5sum: string | null;
      hdb_disk_image_md5sum: string | null;
      hdc_disk_image_md5sum: string | null;
      hdd_disk_image_md5sum: string | null;
      kernel_image_md5sum: string | null;
      initrd_md5sum: string | null;
      hda_disk_interface: string;
      hdb_disk_interface: string;
      hdc_disk_interface: string;
      hdd_disk_interface: string;
      kernel_command_line: string;
      legacy_networking: boolean;
      linked_clone: boolean;
      mac_address?: string;
      on_close: "power_off" | "shutdown_signal" | "save_vm_state";
      options: string;
      platform: "aarch64" | "alpha" | "arm" | "cris" | "i386" | "lm32" | "m68k" | "microblaze" | "microblazeel" | "mips" | "mips64" | "mips64el" | "mipsel" | "moxie" | "or32" | "ppc" | "ppc64" | "ppcemb" | "s390x" | "sh4" | "sh4eb" | "sparc" | "sparc64" | "tricore" | "unicore32" | "x86_64" | "xtensa" | "xtensaeb";
      process_priority: "realtime" | "very high" | "high" | "normal" | "low" | "very low";
      qemu_path?: string;
      ram: number;
      replicate_network_connection_state: boolean;
      tpm: boolean;
      uefi: boolean;
      usage: string;
      engine?: ("qemu" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
      acpi_shutdown?: boolean;
    };
    MachineEmulatorUpdate: {
      project_id?: unknown;
      status?: unknown;
      node_directory?: unknown;
      command_line?: unknown;
      acpi_shutdown?: boolean | null;
      name?: string | null;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "telnet" | "vnc" | "spice" | "spice+agent" | "none";
      adapter_type?: string | null;
      adapters?: number | null;
      boot_priority?: "c" | "d" | "n" | "cn" | "cd" | "dn" | "dc" | "nc" | "nd";
      cpu_throttling?: number | null;
      cpus?: number | null;
      create_config_disk?: boolean | null;
      bios_image?: string;
      cdrom_image?: string;
      hda_disk_image?: string;
      hdb_disk_image?: string;
      hdc_disk_image?: string;
      hdd_disk_image?: string;
      kernel_image?: string;
      initrd?: string;
      bios_image_md5sum?: string | null;
      cdrom_image_md5sum?: string | null;
      hda_disk_image_md5sum?: string | null;
      hdb_disk_image_md5sum?: string | null;
      hdc_disk_image_md5sum?: string | null;
      hdd_disk_image_md5sum?: string | null;
      kernel_image_md5sum?: string | null;
      initrd_md5sum?: string | null;
      hda_disk_interface?: string;
      hdb_disk_interface?: string;
      hdc_disk_interface?: string;
      hdd_disk_interface?: string;
      kernel_command_line?: string | null;
      legacy_networking?: boolean | null;
      linked_clone?: boolean;
      mac_address?: string | null;
      on_close?: ("power_off" | "shutdown_signal" | "save_vm_state") | null;
      options?: string | null;
      platform?: ("aarch64" | "alpha" | "arm" | "cris" | "i386" | "lm32" | "m68k" | "microblaze" | "microblazeel" | "mips" | "mips64" | "mips64el" | "mipsel" | "moxie" | "or32" | "ppc" | "ppc64" | "ppcemb" | "s390x" | "sh4" | "sh4eb" | "sparc" | "sparc64" | "tricore" | "unicore32" | "x86_64" | "xtensa" | "xtensaeb") | null;
      process_priority?: ("realtime" | "very high" | "high" | "normal" | "low" | "very low") | null;
      qemu_path?: string | null;
      ram?: number | null;
      replicate_network_connection_state?: boolean | null;
      tpm?: boolean | null;
      uefi?: boolean | null;
      usage?: string;
      engine?: ("qemu" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    MachineEmulatorStart: Record<string, never>;
    ContainerCreate: {
      name: string;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "telnet" | "vnc" | "http" | "https" | "none";
      image: string;
      container_id?: string;
      container_name?: string | null;
      adapters?: number | null;
      aux?: number | null;
      console_http_path?: string;
      console_http_port?: number;
      console_resolution?: string | null;
      environment?: string | null;
      extra_hosts?: string | null;
      extra_volumes?: string[];
      mac_address?: string | null;
      start_command?: string | null;
      usage?: string;
      entrypoint?: string | null;
      user?: string | null;
      commands?: string[] | null;
      files?: {
        path: string;
        content: string;
        encoding?: "base64";
        mode?: string;
        source?: string;
      }[] | null;
      config_files?: string[] | null;
      interfaces?: {
        adapter: number;
        name?: string;
        addresses?: (string)[];
        /** Format: ipv4 */
        gateway?: string;
        /** Format: ipv4 */
        nameserver?: string;
      }[] | null;
      published?: {
        port: number;
        to: number;
        protocol?: "tcp" | "udp";
      }[] | null;
      sysctls?: {
        [key: string]: string;
      } | null;
      network_system?: boolean | null;
      capabilities?: string[] | null;
      engine?: ("docker" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    ContainerNode: {
      name: string;
      node_id: string;
      project_id: string;
      status: "stopped" | "started" | "suspended";
      console: number | null;
      console_type: "telnet" | "vnc" | "http" | "https" | "none";
      node_directory: string | null;
      image?: string;
      container_id?: string;
      container_name?: string | null;
      adapters: number;
      aux: number | null;
      console_http_path: string;
      console_http_port: number;
      console_resolution: string;
      environment: string | null;
      extra_hosts: string | null;
      extra_volumes: string[];
      mac_address?: string;
      start_command: string | null;
      usage: string;
      entrypoint?: string | null;
      user?: string | null;
      commands?: string[] | null;
      files?: {
        path: string;
        content: string;
        encoding?: "base64";
        mode?: string;
        source?: string;
      }[] | null;
      config_files?: string[] | null;
      interfaces?: {
        adapter: number;
        name?: string;
        addresses?: (string)[];
        /** Format: ipv4 */
        gateway?: string;
        /** Format: ipv4 */
        nameserver?: string;
      }[] | null;
      published?: {
        port: number;
        to: number;
        protocol?: "tcp" | "udp";
      }[] | null;
      sysctls?: {
        [key: string]: string;
      } | null;
      network_system?: boolean | null;
      capabilities?: string[] | null;
      engine?: ("docker" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    ContainerUpdate: {
      project_id?: unknown;
      status?: unknown;
      node_directory?: unknown;
      command_line?: unknown;
      name?: string | null;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "telnet" | "vnc" | "http" | "https" | "none";
      image?: string;
      container_id?: string;
      container_name?: string | null;
      adapters?: number | null;
      aux?: number | null;
      console_http_path?: string;
      console_http_port?: number;
      console_resolution?: string | null;
      environment?: string | null;
      extra_hosts?: string | null;
      extra_volumes?: string[];
      mac_address?: string | null;
      start_command?: string | null;
      usage?: string;
      entrypoint?: string | null;
      user?: string | null;
      commands?: string[] | null;
      files?: {
        path: string;
        content: string;
        encoding?: "base64";
        mode?: string;
        source?: string;
      }[] | null;
      config_files?: string[] | null;
      interfaces?: {
        adapter: number;
        name?: string;
        addresses?: (string)[];
        /** Format: ipv4 */
        gateway?: string;
        /** Format: ipv4 */
        nameserver?: string;
      }[] | null;
      published?: {
        port: number;
        to: number;
        protocol?: "tcp" | "udp";
      }[] | null;
      sysctls?: {
        [key: string]: string;
      } | null;
      network_system?: boolean | null;
      capabilities?: string[] | null;
      engine?: ("docker" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    ContainerStart: Record<string, never>;
    RouterEmulatorCreate: {
      name: string;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "telnet" | "none";
      platform: "c1700" | "c2600" | "c2691" | "c3600" | "c3725" | "c3745" | "c7200";
      image: string;
      ram?: number | null;
      dynamips_id?: number | null;
      image_md5sum?: string | null;
      chassis?: string | null;
      slot0?: string | null;
      slot1?: string | null;
      slot2?: string | null;
      slot3?: string | null;
      slot4?: string | null;
      slot5?: string | null;
      slot6?: string | null;
      wic0?: string | null;
      wic1?: string | null;
      wic2?: string | null;
      nvram?: number | null;
      iomem?: number | null;
      clock_divisor?: number | null;
      npe?: ("npe-100" | "npe-150" | "npe-175" | "npe-200" | "npe-225" | "npe-300" | "npe-400" | "npe-g2") | null;
      midplane?: ("std" | "vxr") | null;
      sensors?: number[] | null;
      power_supplies?: number[] | null;
      mmap?: boolean;
      sparsemem?: boolean;
      idlepc?: string | null;
      idlemax?: number;
      idlesleep?: number;
      exec_area?: number;
      disk0?: number;
      disk1?: number;
      auto_delete_disks?: boolean;
      aux?: number | null;
      mac_addr?: string | null;
      system_id?: string;
      usage?: string;
      engine?: ("dynamips" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
      startup_config_content?: string | null;
      private_config_content?: string | null;
    };
    RouterEmulatorNode: {
      name: string;
      node_id: string;
      project_id: string;
      status: "stopped" | "started" | "suspended";
      console: number | null;
      console_type: "telnet" | "none";
      node_directory: string | null;
      platform: "c1700" | "c2600" | "c2691" | "c3600" | "c3725" | "c3745" | "c7200";
      image: string;
      ram: number;
      dynamips_id: number;
      image_md5sum?: string | null;
      chassis?: string | null;
      slot0?: string | null;
      slot1?: string | null;
      slot2?: string | null;
      slot3?: string | null;
      slot4?: string | null;
      slot5?: string | null;
      slot6?: string | null;
      wic0?: string | null;
      wic1?: string | null;
      wic2?: string | null;
      nvram?: number | null;
      iomem?: number | null;
      clock_divisor?: number | null;
      npe?: ("npe-100" | "npe-150" | "npe-175" | "npe-200" | "npe-225" | "npe-300" | "npe-400" | "npe-g2") | null;
      midplane?: ("std" | "vxr") | null;
      sensors?: number[] | null;
      power_supplies?: number[] | null;
      mmap: boolean;
      sparsemem: boolean;
      idlepc?: string | null;
      idlemax: number;
      idlesleep: number;
      exec_area: number;
      disk0: number;
      disk1: number;
      auto_delete_disks: boolean;
      aux: number | null;
      mac_addr?: string | null;
      system_id?: string;
      usage: string;
      engine?: ("dynamips" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    RouterEmulatorUpdate: {
      project_id?: unknown;
      status?: unknown;
      node_directory?: unknown;
      command_line?: unknown;
      name?: string | null;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "telnet" | "none";
      platform?: "c1700" | "c2600" | "c2691" | "c3600" | "c3725" | "c3745" | "c7200";
      image?: string;
      ram?: number | null;
      dynamips_id?: number | null;
      image_md5sum?: string | null;
      chassis?: string | null;
      slot0?: string | null;
      slot1?: string | null;
      slot2?: string | null;
      slot3?: string | null;
      slot4?: string | null;
      slot5?: string | null;
      slot6?: string | null;
      wic0?: string | null;
      wic1?: string | null;
      wic2?: string | null;
      nvram?: number | null;
      iomem?: number | null;
      clock_divisor?: number | null;
      npe?: ("npe-100" | "npe-150" | "npe-175" | "npe-200" | "npe-225" | "npe-300" | "npe-400" | "npe-g2") | null;
      midplane?: ("std" | "vxr") | null;
      sensors?: number[] | null;
      power_supplies?: number[] | null;
      mmap?: boolean;
      sparsemem?: boolean;
      idlepc?: string | null;
      idlemax?: number;
      idlesleep?: number;
      exec_area?: number;
      disk0?: number;
      disk1?: number;
      auto_delete_disks?: boolean;
      aux?: number | null;
      mac_addr?: string | null;
      system_id?: string;
      usage?: string;
      engine?: ("dynamips" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
      startup_config_content?: string | null;
      private_config_content?: string | null;
    };
    RouterEmulatorStart: Record<string, never>;
    SwitchRouterEmulatorCreate: {
      name: string;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "telnet" | "none";
      path: string;
      application_id?: number | null;
      ethernet_adapters?: number;
      serial_adapters?: number;
      l1_keepalives?: boolean | null;
      md5sum?: string | null;
      nvram?: number | null;
      ram?: number | null;
      usage?: string;
      use_default_iou_values?: boolean | null;
      engine?: ("iou" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
      startup_config_content?: string | null;
      private_config_content?: string | null;
    };
    SwitchRouterEmulatorNode: {
      name: string;
      node_id: string;
      project_id: string;
      status: "stopped" | "started" | "suspended";
      console: number | null;
      console_type: "telnet" | "none";
      node_directory: string | null;
      command_line: string;
      path: string;
      application_id: number;
      ethernet_adapters: number;
      serial_adapters: number;
      l1_keepalives: boolean;
      md5sum: string | null;
      nvram: number | null;
      ram: number | null;
      usage: string;
      use_default_iou_values: boolean;
      engine?: ("iou" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    SwitchRouterEmulatorUpdate: {
      project_id?: unknown;
      status?: unknown;
      node_directory?: unknown;
      command_line?: unknown;
      name?: string | null;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "telnet" | "none";
      path?: string;
      application_id?: number | null;
      ethernet_adapters?: number;
      serial_adapters?: number;
      l1_keepalives?: boolean | null;
      md5sum?: string | null;
      nvram?: number | null;
      ram?: number | null;
      usage?: string;
      use_default_iou_values?: boolean | null;
      engine?: ("iou" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
      startup_config_content?: string | null;
      private_config_content?: string | null;
    };
    SwitchRouterEmulatorStart: {
      iourc_content?: string | null;
      license_check?: boolean;
    };
    DesktopVmACreate: {
      name: string;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "telnet" | "none";
      vmname: string;
      adapter_type?: string;
      adapters?: number;
      headless?: boolean;
      linked_clone?: boolean;
      on_close?: "power_off" | "shutdown_signal" | "save_vm_state";
      ram?: number;
      usage?: string;
      use_any_adapter?: boolean;
      engine?: ("virtualbox" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
      acpi_shutdown?: boolean | null;
    };
    DesktopVmANode: {
      name: string;
      node_id: string;
      project_id: string;
      status: "stopped" | "started" | "suspended";
      console: number | null;
      console_type: "telnet" | "none";
      node_directory: string | null;
      vmname: string;
      adapter_type: string;
      adapters: number;
      headless: boolean;
      linked_clone: boolean;
      on_close: "power_off" | "shutdown_signal" | "save_vm_state";
      ram: number;
      usage: string;
      use_any_adapter: boolean;
      engine?: ("virtualbox" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
      acpi_shutdown?: boolean;
    };
    DesktopVmAUpdate: {
      project_id?: unknown;
      status?: unknown;
      node_directory?: unknown;
      command_line?: unknown;
      acpi_shutdown?: boolean | null;
      name?: string | null;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "telnet" | "none";
      vmname?: string;
      adapter_type?: string;
      adapters?: number;
      headless?: boolean;
      linked_clone?: boolean;
      on_close?: "power_off" | "shutdown_signal" | "save_vm_state";
      ram?: number;
      usage?: string;
      use_any_adapter?: boolean;
      engine?: ("virtualbox" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    DesktopVmAStart: Record<string, never>;
    DesktopVmBCreate: {
      name: string;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "telnet" | "none";
      vmx_path: string;
      adapter_type?: string;
      adapters?: number;
      headless?: boolean;
      linked_clone?: boolean;
      on_close?: "power_off" | "shutdown_signal" | "save_vm_state";
      usage?: string;
      use_any_adapter?: boolean;
      engine?: ("vmware" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
      acpi_shutdown?: boolean | null;
    };
    DesktopVmBNode: {
      name: string;
      node_id: string;
      project_id: string;
      status: "stopped" | "started" | "suspended";
      console: number | null;
      console_type: "telnet" | "none";
      node_directory: string | null;
      vmx_path: string;
      adapter_type: string;
      adapters: number;
      headless: boolean;
      linked_clone: boolean;
      on_close: "power_off" | "shutdown_signal" | "save_vm_state";
      usage: string;
      use_any_adapter: boolean;
      engine?: ("vmware" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
      acpi_shutdown?: boolean;
    };
    DesktopVmBUpdate: {
      project_id?: unknown;
      status?: unknown;
      node_directory?: unknown;
      command_line?: unknown;
      acpi_shutdown?: boolean | null;
      name?: string | null;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "telnet" | "none";
      vmx_path?: string;
      adapter_type?: string;
      adapters?: number;
      headless?: boolean;
      linked_clone?: boolean;
      on_close?: "power_off" | "shutdown_signal" | "save_vm_state";
      usage?: string;
      use_any_adapter?: boolean;
      engine?: ("vmware" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    DesktopVmBStart: Record<string, never>;
    SimpleRouterCreate: {
      name: string;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "telnet" | "none";
      port_count?: number;
      engine?: ("embedded" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
      startup_config?: string | null;
    };
    SimpleRouterNode: {
      name: string;
      node_id: string;
      project_id: string;
      status: "stopped" | "started" | "suspended";
      console: number | null;
      console_type: "telnet" | "none";
      node_directory: string | null;
      command_line: string;
      port_count: number;
      engine?: ("embedded" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
    };
    SimpleRouterUpdate: {
      project_id?: unknown;
      status?: unknown;
      node_directory?: unknown;
      command_line?: unknown;
      name?: string | null;
      node_id?: string;
      custom_adapters?: {
        adapter_number: number;
        port_name?: string;
        adapter_type?: string;
        mac_address?: string | "";
      }[];
      console?: number | null;
      console_type?: "telnet" | "none";
      port_count?: number;
      engine?: ("embedded" | "simulated") | null;
      simulate?: {
        delay_ms?: number;
        fail?: string;
        exit_after_ms?: number;
      } | null;
      startup_config?: string | null;
    };
    SimpleRouterStart: Record<string, never>;
    SimplePcProperties: {
      /** @description What runs this node. Empty: the first one that is installed. */
      engine?: ("embedded" | "vpcs" | "simulated") | null;
      /** @description How the simulated engine behaves; the others ignore it. */
      simulate?: {
        /** @description How long every action takes. */
        delay_ms?: number;
        /** @description The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it. */
        fail?: string;
        /** @description How long after its start the node ends by itself. */
        exit_after_ms?: number;
      } | null;
      /** @description Console commands that run at every start, one a line. */
      startup_script?: string | null;
    };
    EthernetSwitchProperties: {
      /** @description Its ports, in their order. A port with a link stays. */
      ports_mapping?: {
        /** @description What the port is called. */
        name: string;
        /** @description Number of the port, each once. */
        port_number: number;
        /**
         * @description access: untagged in the VLAN; dot1q: all VLANs tagged, this one untagged; qinq: everything in an outer tag.
         * @enum {string}
         */
        type: "access" | "dot1q" | "qinq";
        /** @description The access VLAN, the native VLAN of a trunk, or the outer tag. */
        vlan?: number;
        /**
         * @description Of the outer tag of a qinq port; empty is 0x8100.
         * @enum {string}
         */
        ethertype?: "" | "0x8100" | "0x88A8" | "0x9100" | "0x9200";
      }[];
      /** @description What runs this node. Empty: the first one that is installed. */
      engine?: ("embedded" | "simulated") | null;
      /** @description How the simulated engine behaves; the others ignore it. */
      simulate?: {
        /** @description How long every action takes. */
        delay_ms?: number;
        /** @description The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it. */
        fail?: string;
        /** @description How long after its start the node ends by itself. */
        exit_after_ms?: number;
      } | null;
    };
    EthernetHubProperties: {
      /** @description Its ports, in their order. A port with a link stays. */
      ports_mapping?: {
        /** @description What the port is called. */
        name: string;
        /** @description Number of the port, each once. */
        port_number: number;
      }[];
      /** @description What runs this node. Empty: the first one that is installed. */
      engine?: ("embedded" | "simulated") | null;
      /** @description How the simulated engine behaves; the others ignore it. */
      simulate?: {
        /** @description How long every action takes. */
        delay_ms?: number;
        /** @description The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it. */
        fail?: string;
        /** @description How long after its start the node ends by itself. */
        exit_after_ms?: number;
      } | null;
    };
    FrameRelaySwitchProperties: {
      /** @description Which circuit leads to which, as port:circuit on both sides. */
      mappings?: {
        [key: string]: string;
      };
      /** @description What runs this node. Empty: the first one that is installed. */
      engine?: ("embedded" | "simulated") | null;
      /** @description How the simulated engine behaves; the others ignore it. */
      simulate?: {
        /** @description How long every action takes. */
        delay_ms?: number;
        /** @description The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it. */
        fail?: string;
        /** @description How long after its start the node ends by itself. */
        exit_after_ms?: number;
      } | null;
    };
    AtmSwitchProperties: {
      /** @description Which circuit leads to which, as port:circuit on both sides. */
      mappings?: {
        [key: string]: string;
      };
      /** @description What runs this node. Empty: the first one that is installed. */
      engine?: ("embedded" | "simulated") | null;
      /** @description How the simulated engine behaves; the others ignore it. */
      simulate?: {
        /** @description How long every action takes. */
        delay_ms?: number;
        /** @description The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it. */
        fail?: string;
        /** @description How long after its start the node ends by itself. */
        exit_after_ms?: number;
      } | null;
    };
    TraceToolProperties: {
      /** @description IPv4 address, and a gateway where one is needed: 10.0.0.5/24 10.0.0.1. Empty: one of its own link. */
      ip_address?: string;
      /** @description Address or host name that a start traces unless it names another. */
      default_destination?: string;
      /** @description What runs this node. Empty: the first one that is installed. */
      engine?: ("embedded" | "system" | "simulated") | null;
      /** @description How the simulated engine behaves; the others ignore it. */
      simulate?: {
        /** @description How long every action takes. */
        delay_ms?: number;
        /** @description The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it. */
        fail?: string;
        /** @description How long after its start the node ends by itself. */
        exit_after_ms?: number;
      } | null;
    };
    NatProperties: {
      /** @description Its ports, in their order. A port with a link stays. */
      ports_mapping?: {
        /** @description What the port is called. */
        name?: string;
        /** @description Number of the port, each once. */
        port_number?: number;
        /** @description Kept for other programs. */
        type?: string;
        /** @description Kept for other programs. */
        interface?: string;
      }[];
      /** @description Behind it; the gateway has its first address. Empty: one that is free. */
      network?: string | null;
      /** @description What runs this node. Empty: the first one that is installed. */
      engine?: ("slirp" | "passt" | "kernel" | "simulated") | null;
      /** @description How the simulated engine behaves; the others ignore it. */
      simulate?: {
        /** @description How long every action takes. */
        delay_ms?: number;
        /** @description The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it. */
        fail?: string;
        /** @description How long after its start the node ends by itself. */
        exit_after_ms?: number;
      } | null;
    };
    CloudProperties: {
      /** @description Where each port leads: to an interface of the compute, or to a UDP tunnel. */
      ports_mapping?: ({
        /** @description What the port is called. */
        name: string;
        /** @description Number of the port, each once. */
        port_number: number;
        /** @description Of the compute, such as eth0. */
        interface: string;
        /**
         * @description An interface of the compute, a TAP interface, or a UDP tunnel.
         * @constant
         */
        type: "ethernet";
      } | {
        /** @description What the port is called. */
        name: string;
        /** @description Number of the port, each once. */
        port_number: number;
        /** @description Of the compute, such as eth0. */
        interface: string;
        /**
         * @description An interface of the compute, a TAP interface, or a UDP tunnel.
         * @constant
         */
        type: "tap";
      } | {
        /** @description What the port is called. */
        name: string;
        /** @description Number of the port, each once. */
        port_number: number;
        /**
         * @description An interface of the compute, a TAP interface, or a UDP tunnel.
         * @constant
         */
        type: "udp";
        /** @description UDP port that frames come to. */
        lport: number;
        /** @description Where frames go. */
        rhost: string;
        /** @description UDP port that frames go to. */
        rport: number;
      })[];
      /** @description Those of the compute, as it lists them. */
      interfaces?: {
        [key: string]: unknown;
      }[];
      /** @description Where the console of what is outside can be reached. */
      remote_console_host?: string;
      /** @description TCP port of that console. */
      remote_console_port?: number | null;
      /**
       * @description How that console is spoken to.
       * @enum {string}
       */
      remote_console_type?: "telnet" | "vnc" | "spice" | "http" | "https" | "none";
      /** @description Path of a console that is a web page. */
      remote_console_http_path?: string;
      /** @description What runs this node. Empty: the first one that is installed. */
      engine?: ("udp" | "tap" | "ethernet" | "simulated") | null;
      /** @description How the simulated engine behaves; the others ignore it. */
      simulate?: {
        /** @description How long every action takes. */
        delay_ms?: number;
        /** @description The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it. */
        fail?: string;
        /** @description How long after its start the node ends by itself. */
        exit_after_ms?: number;
      } | null;
    };
    MachineEmulatorProperties: {
      /** @description Model of the network adapters, as the guest sees them. */
      adapter_type?: string | null;
      /** @description How many network adapters it has. */
      adapters?: number | null;
      /**
       * @description In which order the machine looks for something to start.
       * @enum {string}
       */
      boot_priority?: "c" | "d" | "n" | "cn" | "cd" | "dn" | "dc" | "nc" | "nd";
      /** @description How much of the host’s processors it may use. 0: as much as it likes. */
      cpu_throttling?: number | null;
      /** @description How many processors the machine has. */
      cpus?: number | null;
      /** @description A small disk for the guest’s configuration, as disk D. */
      create_config_disk?: boolean | null;
      /** @description Firmware; empty: the usual one. */
      bios_image?: string;
      /** @description Image in the drive. */
      cdrom_image?: string;
      /** @description Image of the first disk. */
      hda_disk_image?: string;
      /** @description Image of the second disk. */
      hdb_disk_image?: string;
      /** @description Image of the third disk. */
      hdc_disk_image?: string;
      /** @description Image of the fourth disk. */
      hdd_disk_image?: string;
      /** @description Linux kernel that is started without a boot loader. */
      kernel_image?: string;
      /** @description What that kernel starts with. */
      initrd?: string;
      /** @description Of the image; it is checked when the image is sent to another compute. */
      bios_image_md5sum?: string | null;
      /** @description Of the image; it is checked when the image is sent to another compute. */
      cdrom_image_md5sum?: string | null;
      /** @description Of the image; it is checked when the image is sent to another compute. */
      hda_disk_image_md5sum?: string | null;
      /** @description Of the image; it is checked when the image is sent to another compute. */
      hdb_disk_image_md5sum?: string | null;
      /** @description Of the image; it is checked when the image is sent to another compute. */
      hdc_disk_image_md5sum?: string | null;
      /** @description Of the image; it is checked when the image is sent to another compute. */
      hdd_disk_image_md5sum?: string | null;
      /** @description Of the image; it is checked when the image is sent to another compute. */
      kernel_image_md5sum?: string | null;
      /** @description Of the image; it is checked when the image is sent to another compute. */
      initrd_md5sum?: string | null;
      /** @description How the disk is attached, such as ide, sata, scsi or virtio. */
      hda_disk_interface?: string;
      /** @description How the disk is attached, such as ide, sata, scsi or virtio. */
      hdb_disk_interface?: string;
      /** @description How the disk is attached, such as ide, sata, scsi or virtio. */
      hdc_disk_interface?: string;
      /** @description How the disk is attached, such as ide, sata, scsi or virtio. */
      hdd_disk_interface?: string;
      /** @description Options for that kernel. */
      kernel_command_line?: string | null;
      /** @description Attaches adapters in the old way, for guests that need it. */
      legacy_networking?: boolean | null;
      /** @description The node writes into a copy of its own and leaves the image as it is. */
      linked_clone?: boolean;
      /** @description Of its first adapter; the others count up from it. */
      mac_address?: string | null;
      /** @description What becomes of the machine when it is stopped. */
      on_close?: ("power_off" | "shutdown_signal" | "save_vm_state") | null;
      /** @description Added to the emulator’s command line. */
      options?: string | null;
      /** @description Architecture that is emulated. */
      platform?: ("aarch64" | "alpha" | "arm" | "cris" | "i386" | "lm32" | "m68k" | "microblaze" | "microblazeel" | "mips" | "mips64" | "mips64el" | "mipsel" | "moxie" | "or32" | "ppc" | "ppc64" | "ppcemb" | "s390x" | "sh4" | "sh4eb" | "sparc" | "sparc64" | "tricore" | "unicore32" | "x86_64" | "xtensa" | "xtensaeb") | null;
      /** @description Of its process on the host. */
      process_priority?: ("realtime" | "very high" | "high" | "normal" | "low" | "very low") | null;
      /** @description Program that runs the machine. Empty: that of the platform. */
      qemu_path?: string | null;
      /** @description Memory of the machine. */
      ram?: number | null;
      /** @description The guest sees whether an adapter has a link. */
      replicate_network_connection_state?: boolean | null;
      /** @description The machine has a trusted platform module. */
      tpm?: boolean | null;
      /** @description The machine starts with UEFI firmware. */
      uefi?: boolean | null;
      /** @description Notes for people who work with this node, such as its first login. */
      usage?: string;
      /** @description What runs this node. Empty: the first one that is installed. */
      engine?: ("qemu" | "simulated") | null;
      /** @description How the simulated engine behaves; the others ignore it. */
      simulate?: {
        /** @description How long every action takes. */
        delay_ms?: number;
        /** @description The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it. */
        fail?: string;
        /** @description How long after its start the node ends by itself. */
        exit_after_ms?: number;
      } | null;
      /** @description The older name of what happens when it is stopped: whether the guest is asked to shut down. */
      acpi_shutdown?: boolean | null;
    };
    ContainerProperties: {
      /** @description Image that the container is made of, such as alpine:3. */
      image?: string;
      /** @description Id of the container that was made for it. */
      container_id?: string;
      /** @description As the container service is to call it, if the name is free. */
      container_name?: string | null;
      /** @description How many network adapters it has. */
      adapters?: number | null;
      /** @description TCP port of its second console. Empty: none. */
      aux?: number | null;
      /** @description Path of a console that is a web page. */
      console_http_path?: string;
      /** @description Port inside the container that its web console listens on. */
      console_http_port?: number;
      /** @description Of a graphical console, such as 1024x768. */
      console_resolution?: string | null;
      /** @description What its programs find in their environment. */
      environment?: string | null;
      /** @description Names that the container knows, with their addresses. */
      extra_hosts?: string | null;
      /** @description Directories of the image that are kept with the node, one a line. */
      extra_volumes?: string[];
      /** @description Of its first adapter; the others count up from it. */
      mac_address?: string | null;
      /** @description Empty: what the image starts. */
      start_command?: string | null;
      /** @description Notes for people who work with this node, such as its first login. */
      usage?: string;
      /** @description What begins the start command. Empty: that of the image. */
      entrypoint?: string | null;
      /** @description Who runs its programs. Empty: the one of the image. */
      user?: string | null;
      /** @description Run in the container after each start, one a line. */
      commands?: string[] | null;
      /** @description Copied into the container before each start. */
      files?: {
        /** @description Where it is in the container, from /. */
        path: string;
        /** @description What is in it. */
        content: string;
        /**
         * @description base64: the text stands for octets. Empty: it is what is in it.
         * @enum {string}
         */
        encoding?: "base64";
        /** @description As chmod has them, such as 755. Empty: 644. */
        mode?: string;
        /** @description Name of the file that it is a copy of. */
        source?: string;
      }[] | null;
      /** @description What is collected of it. Empty: its files, and that of FRR. */
      config_files?: string[] | null;
      /** @description Names and first addresses of its adapters. */
      interfaces?: {
        /** @description Number of the adapter, from 0. */
        adapter: number;
        /** @description What the container calls it. Empty: eth and the number. */
        name?: string;
        /** @description That it has from the start, with their prefix lengths. */
        addresses?: (string)[];
        /**
         * Format: ipv4
         * @description Router of its default route.
         */
        gateway?: string;
        /**
         * Format: ipv4
         * @description Server of names that it asks.
         */
        nameserver?: string;
      }[] | null;
      /** @description Where its services are reached from outside of the lab. */
      published?: {
        /** @description Port of the machine that runs it. */
        port: number;
        /** @description Port of the container. */
        to: number;
        /**
         * @description tcp if absent.
         * @enum {string}
         */
        protocol?: "tcp" | "udp";
      }[] | null;
      /** @description Such as net.ipv4.ip_forward. */
      sysctls?: {
        [key: string]: string;
      } | null;
      /** @description It has the privileges that FRR and other network systems are published with, and reaches the machine itself. */
      network_system?: boolean | null;
      /** @description Further ones that its programs have, such as SYS_ADMIN. */
      capabilities?: string[] | null;
      /** @description What runs this node. Empty: the first one that is installed. */
      engine?: ("docker" | "simulated") | null;
      /** @description How the simulated engine behaves; the others ignore it. */
      simulate?: {
        /** @description How long every action takes. */
        delay_ms?: number;
        /** @description The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it. */
        fail?: string;
        /** @description How long after its start the node ends by itself. */
        exit_after_ms?: number;
      } | null;
    };
    RouterEmulatorProperties: {
      /**
       * @description Series of the router.
       * @enum {string}
       */
      platform?: "c1700" | "c2600" | "c2691" | "c3600" | "c3725" | "c3745" | "c7200";
      /** @description Operating system that it runs. */
      image?: string;
      /** @description Memory of the machine. */
      ram?: number | null;
      /** @description Number of the router in its project; its files are named by it. */
      dynamips_id?: number | null;
      /** @description Of the image; it is checked when the image is sent to another compute. */
      image_md5sum?: string | null;
      /** @description Model of the series, where there are several. */
      chassis?: string | null;
      /** @description Card in this place. Empty: none. */
      slot0?: string | null;
      /** @description Card in this place. Empty: none. */
      slot1?: string | null;
      /** @description Card in this place. Empty: none. */
      slot2?: string | null;
      /** @description Card in this place. Empty: none. */
      slot3?: string | null;
      /** @description Card in this place. Empty: none. */
      slot4?: string | null;
      /** @description Card in this place. Empty: none. */
      slot5?: string | null;
      /** @description Card in this place. Empty: none. */
      slot6?: string | null;
      /** @description Card in this place. Empty: none. */
      wic0?: string | null;
      /** @description Card in this place. Empty: none. */
      wic1?: string | null;
      /** @description Card in this place. Empty: none. */
      wic2?: string | null;
      /** @description Memory that keeps the configuration. */
      nvram?: number | null;
      /** @description Part of the RAM that the interfaces use. */
      iomem?: number | null;
      /** @description Slows the router’s clock down. */
      clock_divisor?: number | null;
      /** @description Processor board of the chassis. */
      npe?: ("npe-100" | "npe-150" | "npe-175" | "npe-200" | "npe-225" | "npe-300" | "npe-400" | "npe-g2") | null;
      /** @description Backplane of the chassis. */
      midplane?: ("std" | "vxr") | null;
      /** @description What its four sensors report, one a line. */
      sensors?: number[] | null;
      /** @description Of both, one a line: 1 on, 0 off. */
      power_supplies?: number[] | null;
      /** @description The router’s memory is a file that the host can put aside. */
      mmap?: boolean;
      /** @description Memory is taken from the host only where it is used. */
      sparsemem?: boolean;
      /** @description Where the image waits, such as 0x60606040; it keeps a host processor from being busy. */
      idlepc?: string | null;
      /** @description How often it may pass there before it sleeps. */
      idlemax?: number;
      /** @description How long it sleeps then. */
      idlesleep?: number;
      /** @description Memory for translated code. */
      exec_area?: number;
      /** @description Size of the flash disk. 0: there is none. */
      disk0?: number;
      /** @description Size of the flash disk. 0: there is none. */
      disk1?: number;
      /** @description NVRAM and flash disks start empty each time. */
      auto_delete_disks?: boolean;
      /** @description TCP port of its second console. Empty: none. */
      aux?: number | null;
      /** @description Of the chassis, such as cc01.1234.0000; its interfaces count up from it. */
      mac_addr?: string | null;
      /** @description What the chassis reports as its own. */
      system_id?: string;
      /** @description Notes for people who work with this node, such as its first login. */
      usage?: string;
      /** @description What runs this node. Empty: the first one that is installed. */
      engine?: ("dynamips" | "simulated") | null;
      /** @description How the simulated engine behaves; the others ignore it. */
      simulate?: {
        /** @description How long every action takes. */
        delay_ms?: number;
        /** @description The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it. */
        fail?: string;
        /** @description How long after its start the node ends by itself. */
        exit_after_ms?: number;
      } | null;
      /** @description What its next start reads. */
      startup_config_content?: string | null;
      /** @description Keys and certificates that its next start reads. */
      private_config_content?: string | null;
    };
    SwitchRouterEmulatorProperties: {
      /** @description Image that is run. */
      path?: string;
      /** @description Number of the node; its MAC addresses and its files are named by it. */
      application_id?: number | null;
      /** @description Each has four ports. 16 adapters at most, with the serial ones. */
      ethernet_adapters?: number;
      /** @description Each has four ports. 16 adapters at most, with the Ethernet ones. */
      serial_adapters?: number;
      /** @description Tells the other end whether an interface is up; not every image can. */
      l1_keepalives?: boolean | null;
      /** @description Of the image; it is checked when the image is sent to another compute. */
      md5sum?: string | null;
      /** @description Memory that keeps the configuration. */
      nvram?: number | null;
      /** @description Memory of the machine. */
      ram?: number | null;
      /** @description Notes for people who work with this node, such as its first login. */
      usage?: string;
      /** @description The image’s own amounts of memory rather than RAM and NVRAM. */
      use_default_iou_values?: boolean | null;
      /** @description What runs this node. Empty: the first one that is installed. */
      engine?: ("iou" | "simulated") | null;
      /** @description How the simulated engine behaves; the others ignore it. */
      simulate?: {
        /** @description How long every action takes. */
        delay_ms?: number;
        /** @description The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it. */
        fail?: string;
        /** @description How long after its start the node ends by itself. */
        exit_after_ms?: number;
      } | null;
      /** @description What its next start reads. */
      startup_config_content?: string | null;
      /** @description Keys and certificates that its next start reads. */
      private_config_content?: string | null;
    };
    DesktopVmAProperties: {
      /** @description Its name inside the hypervisor. */
      vmname?: string;
      /** @description Model of the network adapters, as the guest sees them. */
      adapter_type?: string;
      /** @description How many network adapters it has. */
      adapters?: number;
      /** @description The machine shows no window on the desktop of its compute. */
      headless?: boolean;
      /** @description The node writes into a copy of its own and leaves the image as it is. */
      linked_clone?: boolean;
      /**
       * @description What becomes of the machine when it is stopped.
       * @enum {string}
       */
      on_close?: "power_off" | "shutdown_signal" | "save_vm_state";
      /** @description Memory of the machine. 0: as the hypervisor has it. */
      ram?: number;
      /** @description Notes for people who work with this node, such as its first login. */
      usage?: string;
      /** @description Also adapters that the machine has been set up with are taken for links. */
      use_any_adapter?: boolean;
      /** @description What runs this node. Empty: the first one that is installed. */
      engine?: ("virtualbox" | "simulated") | null;
      /** @description How the simulated engine behaves; the others ignore it. */
      simulate?: {
        /** @description How long every action takes. */
        delay_ms?: number;
        /** @description The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it. */
        fail?: string;
        /** @description How long after its start the node ends by itself. */
        exit_after_ms?: number;
      } | null;
      /** @description The older name of what happens when it is stopped: whether the guest is asked to shut down. */
      acpi_shutdown?: boolean | null;
    };
    DesktopVmBProperties: {
      /** @description Path of the machine’s definition on its compute. */
      vmx_path?: string;
      /** @description Model of the network adapters, as the guest sees them. */
      adapter_type?: string;
      /** @description How many network adapters it has. */
      adapters?: number;
      /** @description The machine shows no window on the desktop of its compute. */
      headless?: boolean;
      /** @description The node writes into a copy of its own and leaves the image as it is. */
      linked_clone?: boolean;
      /**
       * @description What becomes of the machine when it is stopped.
       * @enum {string}
       */
      on_close?: "power_off" | "shutdown_signal" | "save_vm_state";
      /** @description Notes for people who work with this node, such as its first login. */
      usage?: string;
      /** @description Also adapters that the machine has been set up with are taken for links. */
      use_any_adapter?: boolean;
      /** @description What runs this node. Empty: the first one that is installed. */
      engine?: ("vmware" | "simulated") | null;
      /** @description How the simulated engine behaves; the others ignore it. */
      simulate?: {
        /** @description How long every action takes. */
        delay_ms?: number;
        /** @description The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it. */
        fail?: string;
        /** @description How long after its start the node ends by itself. */
        exit_after_ms?: number;
      } | null;
      /** @description The older name of what happens when it is stopped: whether the guest is asked to shut down. */
      acpi_shutdown?: boolean | null;
    };
    SimpleRouterProperties: {
      /** @description Number of its Ethernet interfaces. */
      port_count?: number;
      /** @description What runs this node. Empty: the first one that is installed. */
      engine?: ("embedded" | "simulated") | null;
      /** @description How the simulated engine behaves; the others ignore it. */
      simulate?: {
        /** @description How long every action takes. */
        delay_ms?: number;
        /** @description The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it. */
        fail?: string;
        /** @description How long after its start the node ends by itself. */
        exit_after_ms?: number;
      } | null;
      /** @description Console commands that run at every start, one a line: interface 0 ip 10.0.0.1/24, route default 10.0.0.2. */
      startup_config?: string | null;
    };
  };
  responses: {
    /** @description The request is not valid */
    Error400: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description A conflict */
    Error409: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description An error */
    Error503: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Something that the path or the body names does not exist */
    Error404: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Not permitted on this server, or the project is closed */
    Error403: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description It took too long */
    Error408: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description An error */
    Error412: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description More than this server serves */
    Error429: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The body is too large */
    Error413: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The disk is full */
    Error507: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description What it is forwarded to has no such method */
    Error405: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export interface operations {
  get_v2_version: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Version"];
        };
      };
    };
  };
  post_v2_version: {
    requestBody: {
      content: {
        "application/json": {
          version: string;
          local?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Version"];
        };
      };
      400: components["responses"]["Error400"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_version: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Version"];
        };
      };
    };
  };
  get_v2_health: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Health"];
        };
      };
    };
  };
  get_v2_openapi_json: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            openapi: string;
          } & {
            [key: string]: unknown;
          };
        };
      };
    };
  };
  get_v2_ready: {
    parameters: {
      query?: {
        role?: "writer" | "standby";
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            /** @constant */
            ready: true;
            /**
             * @description What the server is in its cell; with a log of its own it is the writer
             * @enum {string}
             */
            role: "writer" | "standby";
          };
        };
      };
      400: components["responses"]["Error400"];
      503: components["responses"]["Error503"];
    };
  };
  get_metrics: {
    responses: {
      /** @description The figures */
      200: {
        content: {
          "text/plain": string;
        };
      };
    };
  };
  get_v2_login: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["LoginState"];
        };
      };
    };
  };
  post_v2_login: {
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["LoginState"];
        };
      };
      400: components["responses"]["Error400"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_login: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["LoginState"];
        };
      };
      400: components["responses"]["Error400"];
    };
  };
  get_v2_computes: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Compute"][];
        };
      };
    };
  };
  post_v2_computes: {
    requestBody: {
      content: {
        "application/json": {
          protocol: "http" | "https";
          host: string;
          port: number;
          compute_id?: string | null;
          name?: string | null;
          user?: string | null;
          password?: string | null;
          /** @description PEM; it alone is trusted */
          certificate?: string | null;
          /** @description Take it from the controller that has it */
          take?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Compute"];
        };
      };
      400: components["responses"]["Error400"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_computes_compute_id: {
    parameters: {
      path: {
        compute_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Compute"];
        };
      };
      404: components["responses"]["Error404"];
    };
  };
  put_v2_computes_compute_id: {
    parameters: {
      path: {
        compute_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          protocol?: "http" | "https";
          host?: string;
          port?: number;
          compute_id?: string | null;
          name?: string | null;
          user?: string | null;
          password?: string | null;
          /** @description PEM; it alone is trusted */
          certificate?: string | null;
          /** @description Take it from the controller that has it */
          take?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Compute"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_computes_compute_id: {
    parameters: {
      path: {
        compute_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_computes_compute_id_connect: {
    parameters: {
      path: {
        compute_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Compute"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_computes_compute_id_drain: {
    parameters: {
      path: {
        compute_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description A compute_id; auto: the best one for each node */
          to?: string;
          /** @description Those that run are stopped, moved and started there; absent: they stay */
          restart?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Moved"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_nodes_move: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description A compute_id; auto: the best one for each node */
          to: string;
          /** @description Absent: all of the project */
          nodes?: string[];
          /** @description Those that run are stopped, moved and started there; absent: they stay */
          restart?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Moved"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_computes_endpoint_compute_id_emulator_action: {
    parameters: {
      path: {
        compute_id: string;
        emulator: string;
        action: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            endpoint: string;
          };
        };
      };
      404: components["responses"]["Error404"];
    };
  };
  get_v2_computes_compute_id_ports: {
    parameters: {
      path: {
        compute_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["PortsInUse"];
        };
      };
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_computes_compute_id_engines: {
    parameters: {
      path: {
        compute_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Engine"][];
        };
      };
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_computes_compute_id_auto_idlepc: {
    parameters: {
      path: {
        compute_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          platform: string;
          image: string;
          ram: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            idlepc: string;
          };
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects: {
    parameters: {
      query?: {
        at?: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Project"][];
        };
      };
      400: components["responses"]["Error400"];
    };
  };
  post_v2_projects: {
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ProjectCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Project"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_overview: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["ProjectOverview"][];
        };
      };
    };
  };
  post_v2_projects_load: {
    parameters: {
      query?: {
        new_id?: "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          path: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Project"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id: {
    parameters: {
      query?: {
        at?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Project"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_projects_project_id: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ProjectUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Project"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_projects_project_id: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  get_v2_projects_project_id_stats: {
    parameters: {
      query?: {
        at?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["ProjectStats"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_projects_project_id_fork: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          at?: string | number;
          name: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Project"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_open: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Project"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_close: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_picture_svg: {
    parameters: {
      query?: {
        at?: string;
        size?: "full" | "thumbnail";
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "image/svg+xml": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_nodes: {
    parameters: {
      query?: {
        at?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Node"][];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_projects_project_id_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NodeCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Node"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_nodes_node_id: {
    parameters: {
      query?: {
        at?: string;
      };
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Node"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_projects_project_id_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["NodeUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Node"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_projects_project_id_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  get_v2_projects_project_id_nodes_node_id_links: {
    parameters: {
      query?: {
        at?: string;
      };
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Link"][];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_projects_project_id_nodes_node_id_duplicate: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          x: number;
          y: number;
          z?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Node"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_nodes_start: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_nodes_node_id_start: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Node"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_nodes_stop: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_nodes_node_id_stop: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Node"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_nodes_suspend: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_nodes_node_id_suspend: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Node"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_nodes_reload: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_nodes_node_id_reload: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Node"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_nodes_console_reset: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_nodes_node_id_console_reset: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_nodes_node_id_console_ws: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description A WebSocket */
      101: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_nodes_node_id_recordings: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Recording"][];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_nodes_node_id_recordings_recording_name: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        recording_name: string;
      };
    };
    responses: {
      /** @description An asciicast v3 file */
      200: {
        content: {
          "application/x-asciicast": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_projects_project_id_configs_collect: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Absent: all that keep a configuration */
          nodes?: string[];
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Collected"][];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_nodes_node_id_configs: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["ConfigVersion"][];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_nodes_node_id_configs_position: {
    parameters: {
      query?: {
        against?: number;
      };
      path: {
        project_id: string;
        node_id: string;
        position: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["ConfigContent"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_links: {
    parameters: {
      query?: {
        at?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Link"][];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_projects_project_id_links: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["LinkCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Link"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_links_link_id: {
    parameters: {
      query?: {
        at?: string;
      };
      path: {
        project_id: string;
        link_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Link"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_projects_project_id_links_link_id: {
    parameters: {
      path: {
        project_id: string;
        link_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["LinkUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Link"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_projects_project_id_links_link_id: {
    parameters: {
      path: {
        project_id: string;
        link_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      412: components["responses"]["Error412"];
    };
  };
  get_v2_projects_project_id_links_link_id_available_filters: {
    parameters: {
      query?: {
        at?: string;
      };
      path: {
        project_id: string;
        link_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["FilterDescription"][];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_links_link_id_traffic: {
    parameters: {
      path: {
        project_id: string;
        link_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["LinkTraffic"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      503: components["responses"]["Error503"];
    };
  };
  post_v2_projects_project_id_links_link_id_start_capture: {
    parameters: {
      path: {
        project_id: string;
        link_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["LinkCapture"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Link"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_links_link_id_stop_capture: {
    parameters: {
      path: {
        project_id: string;
        link_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Link"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_links_link_id_pcap: {
    parameters: {
      path: {
        project_id: string;
        link_id: string;
      };
    };
    responses: {
      /** @description A pcap file that grows */
      200: {
        content: {
          "application/vnd.tcpdump.pcap": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_links_link_id_packets: {
    parameters: {
      path: {
        project_id: string;
        link_id: string;
      };
    };
    responses: {
      /** @description A WebSocket: a JSON text a packet (docs/reference/feeds.md) */
      101: {
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      429: components["responses"]["Error429"];
    };
  };
  get_v2_projects_project_id_captures: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Capture"][];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_packets: {
    parameters: {
      query?: {
        filter?: string;
        count?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["PacketSearch"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_captures_capture_name_packets: {
    parameters: {
      query?: {
        filter?: string;
        from?: string;
        count?: string;
      };
      path: {
        project_id: string;
        capture_name: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["PacketPage"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_captures_capture_name_packets_packet_number: {
    parameters: {
      query?: {
        decoder?: "topolog" | "tshark";
      };
      path: {
        project_id: string;
        capture_name: string;
        packet_number: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["DecodedPacket"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_captures_capture_name_packets_packet_number_conversation: {
    parameters: {
      path: {
        project_id: string;
        capture_name: string;
        packet_number: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Conversation"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_captures_capture_name_conversations: {
    parameters: {
      query?: {
        filter?: string;
        layer?: "ethernet" | "ip" | "transport";
      };
      path: {
        project_id: string;
        capture_name: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Conversations"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_captures_capture_name_packets_packet_number_journey: {
    parameters: {
      path: {
        project_id: string;
        capture_name: string;
        packet_number: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["PacketJourney"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_drawings: {
    parameters: {
      query?: {
        at?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Drawing"][];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_projects_project_id_drawings: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["DrawingCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Drawing"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_drawings_drawing_id: {
    parameters: {
      query?: {
        at?: string;
      };
      path: {
        project_id: string;
        drawing_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Drawing"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_projects_project_id_drawings_drawing_id: {
    parameters: {
      path: {
        project_id: string;
        drawing_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["DrawingUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Drawing"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_projects_project_id_drawings_drawing_id: {
    parameters: {
      path: {
        project_id: string;
        drawing_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  get_v2_projects_project_id_checks: {
    parameters: {
      query?: {
        at?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Check"][];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_projects_project_id_checks: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CheckCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Check"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_checks_check_id: {
    parameters: {
      query?: {
        at?: string;
      };
      path: {
        project_id: string;
        check_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Check"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_projects_project_id_checks_check_id: {
    parameters: {
      path: {
        project_id: string;
        check_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CheckCreate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Check"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_projects_project_id_checks_check_id: {
    parameters: {
      path: {
        project_id: string;
        check_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_checks_check_id_look: {
    parameters: {
      path: {
        project_id: string;
        check_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Finding"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_stages: {
    parameters: {
      query?: {
        at?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Stage"][];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_results: {
    parameters: {
      query?: {
        project?: string | string[];
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            /** @description CSV: a row for each stage of each lab, and the hash of its last event */
            sheet: string;
            /** @description Of session files: Ed25519, DER SubjectPublicKeyInfo as base64 */
            public_key: string;
            /** @description Over the octets of the sheet, base64 */
            signature: string;
          };
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_projects_project_id_batch: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Batch"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["BatchResult"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      413: components["responses"]["Error413"];
    };
  };
  post_v2_labs_plan: {
    requestBody: {
      content: {
        "application/json": {
          /** @description Of the lab, in its format. */
          text: string;
          /**
           * @description yaml: that of this server, docs/reference/lab-text.md; containerlab: docs/reference/containerlab.md.
           * @default yaml
           * @enum {string}
           */
          format?: "yaml" | "containerlab";
          /**
           * @description Those that the text names, by the names it has for them: the text of each, or its content with its encoding and its permissions.
           * @default {}
           */
          files?: {
            [key: string]: string | {
              /** @description Its text, or its octets in base64. */
              content: string;
              /**
               * @description Absent: the content is its text.
               * @enum {string}
               */
              encoding?: "base64";
              /** @description Absent: 644. */
              mode?: string;
            };
          };
          /**
           * @description What the text wants and nothing here stands for is simulated. Absent: it is refused.
           * @default false
           */
          simulate?: boolean;
          /**
           * Format: uuid
           * @description Absent: that of the lab’s name, which is made if there is none.
           */
          project_id?: string;
          /**
           * @description Notes say what is missing so far as well: links of nodes, what checks need. The ETag is of no use then.
           * @default false
           */
          lint?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["LabPlan"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      413: components["responses"]["Error413"];
    };
  };
  post_v2_labs_apply: {
    requestBody: {
      content: {
        "application/json": {
          /** @description Of the lab, in its format. */
          text: string;
          /**
           * @description yaml: that of this server, docs/reference/lab-text.md; containerlab: docs/reference/containerlab.md.
           * @default yaml
           * @enum {string}
           */
          format?: "yaml" | "containerlab";
          /**
           * @description Those that the text names, by the names it has for them: the text of each, or its content with its encoding and its permissions.
           * @default {}
           */
          files?: {
            [key: string]: string | {
              /** @description Its text, or its octets in base64. */
              content: string;
              /**
               * @description Absent: the content is its text.
               * @enum {string}
               */
              encoding?: "base64";
              /** @description Absent: 644. */
              mode?: string;
            };
          };
          /**
           * @description What the text wants and nothing here stands for is simulated. Absent: it is refused.
           * @default false
           */
          simulate?: boolean;
          /**
           * Format: uuid
           * @description Absent: that of the lab’s name, which is made if there is none.
           */
          project_id?: string;
          /**
           * @description All nodes run afterwards. Those that are restarted do anyway.
           * @default false
           */
          start?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["LabApplied"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
      413: components["responses"]["Error413"];
    };
  };
  get_v2_labs_schema: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["AnyObject"];
        };
      };
    };
  };
  get_v2_projects_project_id_lab: {
    parameters: {
      query?: {
        as?: "yaml" | "containerlab" | "ansible" | "hosts";
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The text */
      200: {
        content: {
          "application/yaml": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_projects_project_id_lab: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Of the lab, in its format. */
          text: string;
          /**
           * @description Those that the text names, by the names it has for them: the text of each, or its content with its encoding and its permissions.
           * @default {}
           */
          files?: {
            [key: string]: string | {
              /** @description Its text, or its octets in base64. */
              content: string;
              /**
               * @description Absent: the content is its text.
               * @enum {string}
               */
              encoding?: "base64";
              /** @description Absent: 644. */
              mode?: string;
            };
          };
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            text: string;
          };
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      413: components["responses"]["Error413"];
    };
  };
  get_v2_projects_project_id_events: {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        since?: string;
        until?: string;
        type?: string;
        node?: string;
        link?: string;
        drawing?: string;
        principal?: string;
        request?: string;
        limit?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description One page, oldest first; with Accept: application/x-ndjson all of them as stored, a line each */
      200: {
        content: {
          "application/json": components["schemas"]["Events"];
          "application/x-ndjson": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_events: {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        since?: string;
        until?: string;
        type?: string;
        node?: string;
        link?: string;
        drawing?: string;
        principal?: string;
        request?: string;
        limit?: string;
      };
    };
    responses: {
      /** @description One page, oldest first; with Accept: application/x-ndjson all of them as stored, a line each */
      200: {
        content: {
          "application/json": components["schemas"]["Events"];
          "application/x-ndjson": string;
        };
      };
      400: components["responses"]["Error400"];
    };
  };
  get_v2_projects_project_id_diff: {
    parameters: {
      query: {
        from: string;
        to: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["ObjectDiff"][];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_nodes_node_id_history: {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        since?: string;
        until?: string;
        type?: string;
        node?: string;
        link?: string;
        drawing?: string;
        principal?: string;
        request?: string;
        limit?: string;
      };
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description One page, oldest first; with Accept: application/x-ndjson all of them as stored, a line each */
      200: {
        content: {
          "application/json": components["schemas"]["History"];
          "application/x-ndjson": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_links_link_id_history: {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        since?: string;
        until?: string;
        type?: string;
        node?: string;
        link?: string;
        drawing?: string;
        principal?: string;
        request?: string;
        limit?: string;
      };
      path: {
        project_id: string;
        link_id: string;
      };
    };
    responses: {
      /** @description One page, oldest first; with Accept: application/x-ndjson all of them as stored, a line each */
      200: {
        content: {
          "application/json": components["schemas"]["History"];
          "application/x-ndjson": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_drawings_drawing_id_history: {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        since?: string;
        until?: string;
        type?: string;
        node?: string;
        link?: string;
        drawing?: string;
        principal?: string;
        request?: string;
        limit?: string;
      };
      path: {
        project_id: string;
        drawing_id: string;
      };
    };
    responses: {
      /** @description One page, oldest first; with Accept: application/x-ndjson all of them as stored, a line each */
      200: {
        content: {
          "application/json": components["schemas"]["History"];
          "application/x-ndjson": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_timeline: {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        kinds?: string;
        person?: string;
        object?: string;
        text?: string;
        buckets?: string;
        single?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["TimeLine"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_timeline_entries: {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        kinds?: string;
        person?: string;
        object?: string;
        text?: string;
        order?: "asc" | "desc";
        offset?: string;
        limit?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["TimeLineEntries"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_timeline_objects: {
    parameters: {
      query?: {
        limit?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["TimeLineObject"][];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_why: {
    parameters: {
      query: {
        from: string;
        to: string;
        at?: string;
        size?: string;
        port?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Why"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_projects_project_id_why: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The node that sends: its name or id. */
          from: string;
          /** @description The node that is to be reached, by name or id, or an address. */
          to: string;
          /** @description Octets of data in the ping that is sent; absent: 56. */
          size?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Why"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_edits: {
    parameters: {
      query?: {
        limit?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Edits"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_projects_project_id_undo: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          position?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Undone"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_redo: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          position?: number;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Undone"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_restore: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          at: string | number;
          objects?: {
            type: "project" | "node" | "link" | "drawing";
            /** Format: uuid */
            id: string;
          }[];
          plan?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Restored"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_session: {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        redact?: "console" | "secrets" | "console,secrets";
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description A line each: head, records before, events, recordings, files */
      200: {
        content: {
          "application/x-ndjson": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_verify: {
    parameters: {
      query?: {
        project_id?: string;
        files?: "yes" | "no";
      };
    };
    responses: {
      /** @description The verdict; with Accept: application/x-ndjson first how far it is, as lines {"progress": {part, done, of}}, then {"verdict": …} */
      200: {
        content: {
          "application/json": components["schemas"]["StoreVerdict"];
          "application/x-ndjson": string;
        };
      };
      400: components["responses"]["Error400"];
    };
  };
  post_v2_projects_project_id_replay: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ReplayCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Replay"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_replays: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Replay"][];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_projects_project_id_replays_replay_id: {
    parameters: {
      path: {
        project_id: string;
        replay_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Replay"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  delete_v2_projects_project_id_replays_replay_id: {
    parameters: {
      path: {
        project_id: string;
        replay_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_templates: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Template"][];
        };
      };
    };
  };
  post_v2_templates: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["TemplateCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Template"];
        };
      };
      400: components["responses"]["Error400"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_templates_template_id: {
    parameters: {
      path: {
        template_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Template"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_templates_template_id: {
    parameters: {
      path: {
        template_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TemplateUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Template"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_templates_template_id: {
    parameters: {
      path: {
        template_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_templates_template_id_duplicate: {
    parameters: {
      path: {
        template_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Template"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_templates_template_id: {
    parameters: {
      path: {
        project_id: string;
        template_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          x: number;
          y: number;
          name?: string | null;
          compute_id?: string | null;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Node"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_symbols: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            symbol_id: string;
            filename: string;
            theme: string;
            builtin: boolean;
          }[];
        };
      };
    };
  };
  get_v2_default_symbols: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            [key: string]: {
              [key: string]: string;
            };
          };
        };
      };
    };
  };
  get_v2_symbols_symbol_id_dimensions: {
    parameters: {
      path: {
        symbol_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            width: number;
            height: number;
          };
        };
      };
    };
  };
  get_v2_symbols_symbol_id_raw: {
    parameters: {
      path: {
        symbol_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "image/*": string;
        };
      };
    };
  };
  post_v2_symbols_symbol_id_raw: {
    parameters: {
      path: {
        symbol_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/octet-stream": string;
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
      413: components["responses"]["Error413"];
    };
  };
  get_v2_catalogue_images: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CatalogueImage"][];
        };
      };
    };
  };
  delete_v2_catalogue_images_emulator_filename: {
    parameters: {
      path: {
        emulator: string;
        filename: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_catalogue_symbols: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CatalogueSymbol"][];
        };
      };
    };
  };
  delete_v2_catalogue_symbols_symbol_id: {
    parameters: {
      path: {
        symbol_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_catalogue_appliances: {
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Appliance"];
        };
      };
      400: components["responses"]["Error400"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_iou_license: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            iourc_content: string;
            license_check: boolean;
          };
        };
      };
    };
  };
  put_v2_iou_license: {
    requestBody?: {
      content: {
        "application/json": {
          iourc_content?: string;
          license_check?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": {
            iourc_content: string;
            license_check: boolean;
          };
        };
      };
      400: components["responses"]["Error400"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_appliances: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            [key: string]: unknown;
          }[];
        };
      };
    };
  };
  get_v2_gns3vm: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            enable: boolean;
          } & {
            [key: string]: unknown;
          };
        };
      };
    };
  };
  put_v2_gns3vm: {
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": {
            [key: string]: unknown;
          };
        };
      };
      400: components["responses"]["Error400"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_gns3vm_engines: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            [key: string]: unknown;
          }[];
        };
      };
    };
  };
  get_v2_gns3vm_engines_engine_vms: {
    parameters: {
      path: {
        engine: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            [key: string]: unknown;
          }[];
        };
      };
      404: components["responses"]["Error404"];
    };
  };
  get_v2_notifications: {
    parameters: {
      query?: {
        since?: string;
        live?: "true" | "false";
      };
    };
    responses: {
      /** @description A line each, without an end: frames {action, event, position} as JSON; ?since or Last-Event-ID resume after a position (docs/reference/feeds.md) */
      200: {
        content: {
          "application/json": string;
        };
      };
      400: components["responses"]["Error400"];
      429: components["responses"]["Error429"];
    };
  };
  get_v2_projects_project_id_notifications: {
    parameters: {
      query?: {
        since?: string;
        live?: "true" | "false";
        as?: string;
        seat?: string;
        beside?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description A line each, without an end: frames {action, event, position} as JSON; ?since or Last-Event-ID resume after a position (docs/reference/feeds.md) */
      200: {
        content: {
          "application/json": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      429: components["responses"]["Error429"];
    };
  };
  get_v2_notifications_ws: {
    parameters: {
      query?: {
        since?: string;
        live?: "true" | "false";
      };
    };
    responses: {
      /** @description A WebSocket: frames {action, event, position} as JSON; ?since or Last-Event-ID resume after a position (docs/reference/feeds.md) */
      101: {
      };
      400: components["responses"]["Error400"];
      429: components["responses"]["Error429"];
    };
  };
  get_v2_projects_project_id_notifications_ws: {
    parameters: {
      query?: {
        since?: string;
        live?: "true" | "false";
        as?: string;
        seat?: string;
        beside?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description A WebSocket: frames {action, event, position} as JSON; ?since or Last-Event-ID resume after a position (docs/reference/feeds.md) */
      101: {
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      429: components["responses"]["Error429"];
    };
  };
  get_v2_compute_notifications_ws: {
    parameters: {
      query?: {
        since?: string;
      };
    };
    responses: {
      /** @description A WebSocket: frames {action, event, position} as JSON; ?since or Last-Event-ID resume after a position (docs/reference/feeds.md) */
      101: {
      };
      400: components["responses"]["Error400"];
      429: components["responses"]["Error429"];
    };
  };
  get_v2_projects_project_id_wait: {
    parameters: {
      query: {
        node?: string | string[];
        all?: "true" | "false";
        status: "stopped" | "started" | "suspended";
        timeout?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Node"][];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
      429: components["responses"]["Error429"];
    };
  };
  post_v2_projects_project_id_duplicate: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          name: string | null;
          path?: string;
          reset_mac_addresses?: boolean;
          readonly project_id?: unknown;
          readonly filename?: unknown;
          readonly status?: unknown;
          readonly auto_close?: unknown;
          readonly auto_open?: unknown;
          readonly auto_start?: unknown;
          readonly scene_width?: unknown;
          readonly scene_height?: unknown;
          readonly zoom?: unknown;
          readonly grid_size?: unknown;
          readonly drawing_grid_size?: unknown;
          readonly show_grid?: unknown;
          readonly show_interface_labels?: unknown;
          readonly show_layers?: unknown;
          readonly snap_to_grid?: unknown;
          readonly record_consoles?: unknown;
          readonly record_hidden_input?: unknown;
          readonly default_compute?: unknown;
          readonly on_takeover?: unknown;
          readonly folder?: unknown;
          readonly tags?: unknown;
          readonly groups?: unknown;
          readonly checks?: unknown;
          readonly stages?: unknown;
          readonly seed?: unknown;
          readonly supplier?: unknown;
          readonly variables?: unknown;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Project"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_export: {
    parameters: {
      query?: {
        include_snapshots?: "yes" | "no";
        include_images?: "yes" | "no";
        reset_mac_addresses?: "yes" | "no";
        keep_compute_ids?: "yes" | "no";
        revision?: "9" | "10";
        compression?: "zip" | "none";
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description A zip file */
      200: {
        content: {
          "application/gns3project": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_import: {
    parameters: {
      query?: {
        name?: string;
        path?: string;
      };
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/gns3project": string;
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Project"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
      413: components["responses"]["Error413"];
      507: components["responses"]["Error507"];
    };
  };
  get_v2_projects_project_id_snapshots: {
    parameters: {
      query?: {
        at?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Snapshot"][];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_projects_project_id_snapshots: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SnapshotCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Snapshot"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      507: components["responses"]["Error507"];
    };
  };
  delete_v2_projects_project_id_snapshots_snapshot_id: {
    parameters: {
      path: {
        project_id: string;
        snapshot_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_projects_project_id_snapshots_snapshot_id_restore: {
    parameters: {
      path: {
        project_id: string;
        snapshot_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Project"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      507: components["responses"]["Error507"];
    };
  };
  get_v2_projects_project_id_weather: {
    parameters: {
      query?: {
        at?: string;
      };
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Weather"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_projects_project_id_weather: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description All that is to happen, in any order. */
          entries: components["schemas"]["WeatherEntryInput"][];
          readonly project_id?: unknown;
          readonly state?: unknown;
          readonly seed?: unknown;
          readonly time?: unknown;
          readonly since?: unknown;
          readonly next?: unknown;
          readonly storms?: unknown;
          readonly links?: unknown;
          readonly down?: unknown;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Weather"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_weather: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WeatherEntryInput"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["WeatherEntry"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_weather_weather_id: {
    parameters: {
      query?: {
        at?: string;
      };
      path: {
        project_id: string;
        weather_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["WeatherEntry"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_projects_project_id_weather_weather_id: {
    parameters: {
      path: {
        project_id: string;
        weather_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WeatherEntryInput"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["WeatherEntry"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_projects_project_id_weather_weather_id: {
    parameters: {
      path: {
        project_id: string;
        weather_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_projects_project_id_weather_start: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Of what happens at random; absent: that of the project, or 1. */
          seed?: number;
          /** @description Its time stands still until it is resumed. */
          paused?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Weather"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_weather_skip: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Time of the weather. */
          to?: string | number;
          /** @description To where the storm of this name begins next. */
          storm?: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Weather"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_weather_pause: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Weather"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_weather_resume: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Weather"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_projects_project_id_weather_end: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Weather"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_files_path: {
    parameters: {
      query?: {
        if_missing?: "empty";
      };
      path: {
        project_id: string;
        path: string;
      };
    };
    responses: {
      /** @description Its bytes */
      200: {
        content: {
          "application/octet-stream": string;
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_projects_project_id_files_path: {
    parameters: {
      path: {
        project_id: string;
        path: string;
      };
    };
    requestBody?: {
      content: {
        "application/octet-stream": string;
      };
    };
    responses: {
      /** @description It is on disk */
      201: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
      413: components["responses"]["Error413"];
      507: components["responses"]["Error507"];
    };
  };
  get_v2_projects_project_id_nodes_node_id_files_path: {
    parameters: {
      query?: {
        if_missing?: "empty";
      };
      path: {
        project_id: string;
        node_id: string;
        path: string;
      };
    };
    responses: {
      /** @description Its bytes */
      200: {
        content: {
          "application/octet-stream": string;
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_projects_project_id_nodes_node_id_files_path: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        path: string;
      };
    };
    requestBody?: {
      content: {
        "application/octet-stream": string;
      };
    };
    responses: {
      /** @description It is on disk */
      201: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
      413: components["responses"]["Error413"];
      507: components["responses"]["Error507"];
    };
  };
  get_v2_statistics: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeStatistics"][];
        };
      };
    };
  };
  post_v2_reload: {
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      200: {
      };
      400: components["responses"]["Error400"];
    };
  };
  post_v2_handover: {
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_shutdown: {
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description It ends after this answer */
      201: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
    };
  };
  post_v2_debug: {
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description It is written */
      201: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
    };
  };
  post_v2_projects_project_id_nodes_node_id_resize_disk: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          drive_name: "hda" | "hdb" | "hdc" | "hdd";
          extend: number;
        };
      };
    };
    responses: {
      /** @description Done */
      201: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_nodes_node_id_router_emulator_auto_idlepc: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            idlepc: string;
          };
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_projects_project_id_nodes_node_id_router_emulator_idlepc_proposals: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": string[];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_computes_compute_id_emulator_images: {
    parameters: {
      path: {
        compute_id: string;
        emulator: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Image"][] | {
            image: string;
          }[];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_computes_compute_id_emulator_action: {
    parameters: {
      path: {
        compute_id: string;
        emulator: string;
        action: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description What the compute answers */
      200: {
        content: {
          "application/octet-stream": string;
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      405: components["responses"]["Error405"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
      413: components["responses"]["Error413"];
      507: components["responses"]["Error507"];
    };
  };
  put_v2_computes_compute_id_emulator_action: {
    parameters: {
      path: {
        compute_id: string;
        emulator: string;
        action: string;
      };
    };
    requestBody?: {
      content: {
        "application/octet-stream": string;
      };
    };
    responses: {
      /** @description What the compute answers */
      200: {
        content: {
          "application/octet-stream": string;
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      405: components["responses"]["Error405"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
      413: components["responses"]["Error413"];
      507: components["responses"]["Error507"];
    };
  };
  post_v2_computes_compute_id_emulator_action: {
    parameters: {
      path: {
        compute_id: string;
        emulator: string;
        action: string;
      };
    };
    requestBody?: {
      content: {
        "application/octet-stream": string;
      };
    };
    responses: {
      /** @description What the compute answers */
      200: {
        content: {
          "application/octet-stream": string;
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      405: components["responses"]["Error405"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
      413: components["responses"]["Error413"];
      507: components["responses"]["Error507"];
    };
  };
  get_v2_compute_capabilities: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Capabilities"];
        };
      };
    };
  };
  get_v2_compute_network_interfaces: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["NetworkInterface"][];
        };
      };
    };
  };
  get_v2_compute_network_ports: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["PortsInUse"];
        };
      };
    };
  };
  get_v2_compute_statistics: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Statistics"];
        };
      };
    };
  };
  get_v2_compute_debug: {
    responses: {
      /** @description Lines of text */
      200: {
        content: {
          "text/plain": string;
        };
      };
    };
  };
  get_v2_compute_controller: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            controller_id: string;
            name: string;
            epoch: number;
          };
        };
      };
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_controller: {
    requestBody: {
      content: {
        "application/json": {
          /** Format: uuid */
          controller_id: string;
          name: string;
          epoch: number;
          take?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            controller_id: string;
            name: string;
            epoch: number;
          };
        };
      };
      400: components["responses"]["Error400"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_compute_controller: {
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeProject"][];
        };
      };
    };
  };
  post_v2_compute_projects: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ProjectCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["ComputeProject"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeProject"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_projects_project_id: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ProjectUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeProject"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_compute_projects_project_id: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_compute_projects_project_id_close: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_ports_udp: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": {
            udp_port: number;
          };
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            node_id: string;
            name: string;
            node_type: string;
            status: "stopped" | "started" | "suspended";
            aim: "stopped" | "started" | "suspended";
            nios: string[];
          }[];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_compute_projects_project_id_files: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["ProjectFile"][];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  get_v2_compute_projects_project_id_files_path: {
    parameters: {
      query?: {
        if_missing?: "empty";
      };
      path: {
        project_id: string;
        path: string;
      };
    };
    responses: {
      /** @description Its bytes */
      200: {
        content: {
          "application/octet-stream": string;
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_compute_projects_project_id_files_path: {
    parameters: {
      path: {
        project_id: string;
        path: string;
      };
    };
    requestBody?: {
      content: {
        "application/octet-stream": string;
      };
    };
    responses: {
      /** @description It is on disk */
      201: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
      413: components["responses"]["Error413"];
      507: components["responses"]["Error507"];
    };
  };
  post_v2_compute_projects_project_id_simple_pc_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SimplePcCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["SimplePcNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_simple_pc_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["SimplePcNode"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_projects_project_id_simple_pc_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SimplePcUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["SimplePcNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_compute_projects_project_id_simple_pc_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_compute_projects_project_id_simple_pc_nodes_node_id_start: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SimplePcStart"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["SimplePcNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_pc_nodes_node_id_stop: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_pc_nodes_node_id_suspend: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_pc_nodes_node_id_reload: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_pc_nodes_node_id_resume: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_pc_nodes_node_id_pause: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_pc_nodes_node_id_unpause: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_simple_pc_nodes_node_id_console_ws: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description A WebSocket */
      101: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_pc_nodes_node_id_console_reset: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  put_v2_compute_projects_project_id_simple_pc_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_pc_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_compute_projects_project_id_simple_pc_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_pc_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NodeCapture"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CaptureFile"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_pc_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_simple_pc_nodes_node_id_adapters_adapter_number_ports_port_number_pcap: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    responses: {
      /** @description A pcap file that grows */
      200: {
        content: {
          "application/vnd.tcpdump.pcap": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_switch_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["EthernetSwitchCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["EthernetSwitchNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_ethernet_switch_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["EthernetSwitchNode"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_projects_project_id_ethernet_switch_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["EthernetSwitchUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["EthernetSwitchNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_compute_projects_project_id_ethernet_switch_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_start: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["EthernetSwitchStart"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_stop: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_suspend: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_console_ws: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description A WebSocket */
      101: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_console_reset: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NodeCapture"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CaptureFile"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_adapters_adapter_number_ports_port_number_pcap: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    responses: {
      /** @description A pcap file that grows */
      200: {
        content: {
          "application/vnd.tcpdump.pcap": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_hub_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["EthernetHubCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["EthernetHubNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_ethernet_hub_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["EthernetHubNode"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_projects_project_id_ethernet_hub_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["EthernetHubUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["EthernetHubNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_compute_projects_project_id_ethernet_hub_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_start: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["EthernetHubStart"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_stop: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_suspend: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NodeCapture"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CaptureFile"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_adapters_adapter_number_ports_port_number_pcap: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    responses: {
      /** @description A pcap file that grows */
      200: {
        content: {
          "application/vnd.tcpdump.pcap": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_frame_relay_switch_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["FrameRelaySwitchCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["FrameRelaySwitchNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["FrameRelaySwitchNode"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["FrameRelaySwitchUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["FrameRelaySwitchNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_start: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["FrameRelaySwitchStart"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_stop: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_suspend: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NodeCapture"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CaptureFile"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_adapters_adapter_number_ports_port_number_pcap: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    responses: {
      /** @description A pcap file that grows */
      200: {
        content: {
          "application/vnd.tcpdump.pcap": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_atm_switch_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AtmSwitchCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["AtmSwitchNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_atm_switch_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["AtmSwitchNode"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_projects_project_id_atm_switch_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AtmSwitchUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["AtmSwitchNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_compute_projects_project_id_atm_switch_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_compute_projects_project_id_atm_switch_nodes_node_id_start: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AtmSwitchStart"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_atm_switch_nodes_node_id_stop: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_atm_switch_nodes_node_id_suspend: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_atm_switch_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_compute_projects_project_id_atm_switch_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_atm_switch_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NodeCapture"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CaptureFile"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_atm_switch_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_atm_switch_nodes_node_id_adapters_adapter_number_ports_port_number_pcap: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    responses: {
      /** @description A pcap file that grows */
      200: {
        content: {
          "application/vnd.tcpdump.pcap": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_trace_tool_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TraceToolCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["TraceToolNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_trace_tool_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["TraceToolNode"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_projects_project_id_trace_tool_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TraceToolUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["TraceToolNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_compute_projects_project_id_trace_tool_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_compute_projects_project_id_trace_tool_nodes_node_id_start: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TraceToolStart"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["TraceToolNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_trace_tool_nodes_node_id_stop: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_trace_tool_nodes_node_id_suspend: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_trace_tool_nodes_node_id_reload: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  put_v2_compute_projects_project_id_trace_tool_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_trace_tool_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_compute_projects_project_id_trace_tool_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_trace_tool_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NodeCapture"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CaptureFile"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_trace_tool_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_trace_tool_nodes_node_id_adapters_adapter_number_ports_port_number_pcap: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    responses: {
      /** @description A pcap file that grows */
      200: {
        content: {
          "application/vnd.tcpdump.pcap": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_nat_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["NatCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["NatNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_nat_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["NatNode"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_projects_project_id_nat_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["NatUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["NatNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_compute_projects_project_id_nat_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_compute_projects_project_id_nat_nodes_node_id_start: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["NatStart"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_nat_nodes_node_id_stop: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_nat_nodes_node_id_suspend: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  put_v2_compute_projects_project_id_nat_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_nat_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_compute_projects_project_id_nat_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_nat_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NodeCapture"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CaptureFile"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_nat_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_nat_nodes_node_id_adapters_adapter_number_ports_port_number_pcap: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    responses: {
      /** @description A pcap file that grows */
      200: {
        content: {
          "application/vnd.tcpdump.pcap": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_cloud_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CloudCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["CloudNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_cloud_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CloudNode"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_projects_project_id_cloud_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CloudUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CloudNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_compute_projects_project_id_cloud_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_compute_projects_project_id_cloud_nodes_node_id_start: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CloudStart"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_cloud_nodes_node_id_stop: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_cloud_nodes_node_id_suspend: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  put_v2_compute_projects_project_id_cloud_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_cloud_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_compute_projects_project_id_cloud_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_cloud_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NodeCapture"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CaptureFile"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_cloud_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_cloud_nodes_node_id_adapters_adapter_number_ports_port_number_pcap: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    responses: {
      /** @description A pcap file that grows */
      200: {
        content: {
          "application/vnd.tcpdump.pcap": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_machine_emulator_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["MachineEmulatorCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["MachineEmulatorNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_machine_emulator_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["MachineEmulatorNode"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_projects_project_id_machine_emulator_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["MachineEmulatorUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["MachineEmulatorNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_compute_projects_project_id_machine_emulator_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_start: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["MachineEmulatorStart"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["MachineEmulatorNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_stop: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_suspend: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_reload: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_resume: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_pause: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_unpause: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_machine_emulator_nodes_node_id_console_ws: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description A WebSocket */
      101: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_console_reset: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  put_v2_compute_projects_project_id_machine_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_compute_projects_project_id_machine_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NodeCapture"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CaptureFile"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_machine_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_pcap: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    responses: {
      /** @description A pcap file that grows */
      200: {
        content: {
          "application/vnd.tcpdump.pcap": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_container_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ContainerCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["ContainerNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_container_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["ContainerNode"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_projects_project_id_container_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ContainerUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["ContainerNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_compute_projects_project_id_container_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_compute_projects_project_id_container_nodes_node_id_start: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ContainerStart"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_container_nodes_node_id_stop: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_container_nodes_node_id_suspend: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_container_nodes_node_id_reload: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_container_nodes_node_id_resume: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_container_nodes_node_id_pause: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_container_nodes_node_id_unpause: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_container_nodes_node_id_console_ws: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description A WebSocket */
      101: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_container_nodes_node_id_console_reset: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  put_v2_compute_projects_project_id_container_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_container_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_compute_projects_project_id_container_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_container_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NodeCapture"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CaptureFile"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_container_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_container_nodes_node_id_adapters_adapter_number_ports_port_number_pcap: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    responses: {
      /** @description A pcap file that grows */
      200: {
        content: {
          "application/vnd.tcpdump.pcap": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_router_emulator_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RouterEmulatorCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["RouterEmulatorNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_router_emulator_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["RouterEmulatorNode"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_projects_project_id_router_emulator_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RouterEmulatorUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["RouterEmulatorNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_compute_projects_project_id_router_emulator_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_compute_projects_project_id_router_emulator_nodes_node_id_start: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RouterEmulatorStart"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_router_emulator_nodes_node_id_stop: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_router_emulator_nodes_node_id_suspend: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_router_emulator_nodes_node_id_reload: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_router_emulator_nodes_node_id_resume: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_router_emulator_nodes_node_id_pause: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_router_emulator_nodes_node_id_unpause: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_router_emulator_nodes_node_id_console_ws: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description A WebSocket */
      101: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_router_emulator_nodes_node_id_console_reset: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  put_v2_compute_projects_project_id_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_compute_projects_project_id_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NodeCapture"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CaptureFile"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_pcap: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    responses: {
      /** @description A pcap file that grows */
      200: {
        content: {
          "application/vnd.tcpdump.pcap": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_switch_router_emulator_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SwitchRouterEmulatorCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["SwitchRouterEmulatorNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["SwitchRouterEmulatorNode"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SwitchRouterEmulatorUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["SwitchRouterEmulatorNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_start: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SwitchRouterEmulatorStart"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["SwitchRouterEmulatorNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_stop: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_suspend: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_reload: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_console_ws: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description A WebSocket */
      101: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_console_reset: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  put_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NodeCapture"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CaptureFile"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_adapters_adapter_number_ports_port_number_pcap: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    responses: {
      /** @description A pcap file that grows */
      200: {
        content: {
          "application/vnd.tcpdump.pcap": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_a_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DesktopVmACreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["DesktopVmANode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["DesktopVmANode"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["DesktopVmAUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["DesktopVmANode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_start: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["DesktopVmAStart"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_stop: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_suspend: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_reload: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_resume: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_pause: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_unpause: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_console_ws: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description A WebSocket */
      101: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_console_reset: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  put_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NodeCapture"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CaptureFile"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_desktop_vm_a_nodes_node_id_adapters_adapter_number_ports_port_number_pcap: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    responses: {
      /** @description A pcap file that grows */
      200: {
        content: {
          "application/vnd.tcpdump.pcap": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_b_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DesktopVmBCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["DesktopVmBNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["DesktopVmBNode"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["DesktopVmBUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["DesktopVmBNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_start: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["DesktopVmBStart"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_stop: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_suspend: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_reload: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_resume: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_pause: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_unpause: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_console_ws: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description A WebSocket */
      101: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_console_reset: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  put_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NodeCapture"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CaptureFile"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_adapters_adapter_number_ports_port_number_pcap: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    responses: {
      /** @description A pcap file that grows */
      200: {
        content: {
          "application/vnd.tcpdump.pcap": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_router_nodes: {
    parameters: {
      path: {
        project_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SimpleRouterCreate"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["SimpleRouterNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_simple_router_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["SimpleRouterNode"];
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
    };
  };
  put_v2_compute_projects_project_id_simple_router_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SimpleRouterUpdate"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["SimpleRouterNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  delete_v2_compute_projects_project_id_simple_router_nodes_node_id: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      412: components["responses"]["Error412"];
    };
  };
  post_v2_compute_projects_project_id_simple_router_nodes_node_id_start: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SimpleRouterStart"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["SimpleRouterNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_router_nodes_node_id_stop: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_router_nodes_node_id_suspend: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_router_nodes_node_id_reload: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_router_nodes_node_id_resume: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_router_nodes_node_id_pause: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_router_nodes_node_id_unpause: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_simple_router_nodes_node_id_console_ws: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    responses: {
      /** @description A WebSocket */
      101: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_router_nodes_node_id_console_reset: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  put_v2_compute_projects_project_id_simple_router_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_router_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          type: "nio_udp";
          lport: number;
          rhost: string;
          rport: number;
          filters?: components["schemas"]["Filters"];
          suspend?: boolean;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["Nio"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  delete_v2_compute_projects_project_id_simple_router_nodes_node_id_adapters_adapter_number_ports_port_number_nio: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_router_nodes_node_id_adapters_adapter_number_ports_port_number_start_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NodeCapture"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["CaptureFile"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_router_nodes_node_id_adapters_adapter_number_ports_port_number_stop_capture: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_simple_router_nodes_node_id_adapters_adapter_number_ports_port_number_pcap: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
        adapter_number: string;
        port_number: string;
      };
    };
    responses: {
      /** @description A pcap file that grows */
      200: {
        content: {
          "application/vnd.tcpdump.pcap": string;
        };
      };
      400: components["responses"]["Error400"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_pc_nodes_node_id_duplicate: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          destination_node_id: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["SimplePcNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_switch_nodes_node_id_duplicate: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          destination_node_id: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["EthernetSwitchNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_ethernet_hub_nodes_node_id_duplicate: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          destination_node_id: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["EthernetHubNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_frame_relay_switch_nodes_node_id_duplicate: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          destination_node_id: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["FrameRelaySwitchNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_atm_switch_nodes_node_id_duplicate: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          destination_node_id: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["AtmSwitchNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_trace_tool_nodes_node_id_duplicate: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          destination_node_id: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["TraceToolNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_machine_emulator_images: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Image"][];
        };
      };
    };
  };
  get_v2_compute_machine_emulator_images_filename: {
    parameters: {
      path: {
        filename: string;
      };
    };
    responses: {
      /** @description Its bytes */
      200: {
        content: {
          "application/octet-stream": string;
        };
      };
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_compute_machine_emulator_images_filename: {
    parameters: {
      path: {
        filename: string;
      };
    };
    requestBody?: {
      content: {
        "application/octet-stream": string;
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
      413: components["responses"]["Error413"];
      507: components["responses"]["Error507"];
    };
  };
  get_v2_compute_machine_emulator_binaries: {
    requestBody?: {
      content: {
        "application/json": {
          archs?: string[];
        };
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            path: string;
            version: string;
          }[];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_machine_emulator_img_binaries: {
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            path: string;
            version: string;
          }[];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_machine_emulator_capabilities: {
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            kvm: string[];
          };
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  put_v2_compute_machine_emulator_img: {
    requestBody: {
      content: {
        "application/json": {
          qemu_img: string;
          path: string;
          extend?: number;
        };
      };
    };
    responses: {
      /** @description Done */
      201: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_machine_emulator_img: {
    requestBody: {
      content: {
        "application/json": {
          qemu_img: string;
          path: string;
          format: "qcow2" | "qcow" | "vpc" | "vdi" | "vmdk" | "raw";
          size: number;
          preallocation?: "off" | "metadata" | "falloc" | "full";
          cluster_size?: number;
          refcount_bits?: 1 | 2 | 4 | 8 | 16 | 32 | 64;
          lazy_refcounts?: "on" | "off";
          subformat?: "dynamic" | "fixed" | "streamOptimized" | "twoGbMaxExtentSparse" | "twoGbMaxExtentFlat" | "monolithicSparse" | "monolithicFlat";
          static?: "on" | "off";
          zeroed_grain?: "on" | "off";
          adapter_type?: "ide" | "lsilogic" | "buslogic" | "legacyESX";
        };
      };
    };
    responses: {
      /** @description Done */
      201: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_resize_disk: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          drive_name: "hda" | "hdb" | "hdc" | "hdd";
          extend: number;
        };
      };
    };
    responses: {
      /** @description Done */
      201: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_machine_emulator_nodes_node_id_duplicate: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          destination_node_id: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["MachineEmulatorNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_container_images: {
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            image: string;
          }[];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_container_nodes_node_id_duplicate: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          destination_node_id: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["ContainerNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_router_emulator_images: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Image"][];
        };
      };
    };
  };
  get_v2_compute_router_emulator_images_filename: {
    parameters: {
      path: {
        filename: string;
      };
    };
    responses: {
      /** @description Its bytes */
      200: {
        content: {
          "application/octet-stream": string;
        };
      };
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_compute_router_emulator_images_filename: {
    parameters: {
      path: {
        filename: string;
      };
    };
    requestBody?: {
      content: {
        "application/octet-stream": string;
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
      413: components["responses"]["Error413"];
      507: components["responses"]["Error507"];
    };
  };
  get_v2_compute_projects_project_id_router_emulator_nodes_node_id_auto_idlepc: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            idlepc: string;
          };
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_projects_project_id_router_emulator_nodes_node_id_idlepc_proposals: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": string[];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_router_emulator_nodes_node_id_duplicate: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          destination_node_id: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["RouterEmulatorNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_switch_router_emulator_images: {
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": components["schemas"]["Image"][];
        };
      };
    };
  };
  get_v2_compute_switch_router_emulator_images_filename: {
    parameters: {
      path: {
        filename: string;
      };
    };
    responses: {
      /** @description Its bytes */
      200: {
        content: {
          "application/octet-stream": string;
        };
      };
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
    };
  };
  post_v2_compute_switch_router_emulator_images_filename: {
    parameters: {
      path: {
        filename: string;
      };
    };
    requestBody?: {
      content: {
        "application/octet-stream": string;
      };
    };
    responses: {
      /** @description Done */
      204: {
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      408: components["responses"]["Error408"];
      409: components["responses"]["Error409"];
      413: components["responses"]["Error413"];
      507: components["responses"]["Error507"];
    };
  };
  post_v2_compute_projects_project_id_switch_router_emulator_nodes_node_id_duplicate: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          destination_node_id: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["SwitchRouterEmulatorNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_desktop_vm_a_vms: {
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            vmname: string;
            ram: number;
          }[];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  get_v2_compute_desktop_vm_b_vms: {
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      200: {
        content: {
          "application/json": {
            vmname: string;
            vmx_path: string;
          }[];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_desktop_vm_b_nodes_node_id_interfaces_vmnet: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AnyObject"];
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": {
            vmnet: string;
          };
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_projects_project_id_simple_router_nodes_node_id_duplicate: {
    parameters: {
      path: {
        project_id: string;
        node_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          destination_node_id: string;
        };
      };
    };
    responses: {
      /** @description The answer */
      201: {
        content: {
          "application/json": components["schemas"]["SimpleRouterNode"];
        };
      };
      400: components["responses"]["Error400"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
    };
  };
  post_v2_compute_batch: {
    requestBody: {
      content: {
        "application/json": {
          calls: ({
            method: "GET" | "POST" | "PUT" | "DELETE";
            path: string;
            body?: components["schemas"]["AnyObject"] | null;
            key?: string | number;
          } | unknown)[];
        };
      };
    };
    responses: {
      /** @description Lines `{"call": index, "status": code, "body": object or null}` */
      200: {
        content: {
          "application/x-ndjson": string;
        };
      };
      400: components["responses"]["Error400"];
      409: components["responses"]["Error409"];
      413: components["responses"]["Error413"];
    };
  };
}
