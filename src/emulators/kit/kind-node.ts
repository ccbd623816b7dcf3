export type Properties = Record<string, unknown>;

export interface Port {
  name: string;
  short_name: string;
  adapter_number: number;
  port_number: number;
  link_type: 'ethernet' | 'serial';
  /** Label to DLT name, e.g. `{Ethernet: 'DLT_EN10MB'}`. */
  data_link_types: Record<string, string>;
  adapter_type?: string | undefined;
  mac_address?: string | undefined;
}

/** A text that a kind keeps in the node's directory instead of its properties. */
export interface NodeFile {
  /** Relative to the node's directory, with `/`. */
  name: string;
  content: string;
}

/** What names a kind's ports beside its properties. */
export interface PortNaming {
  node_id: string;
  port_name_format: string;
  port_segment_size: number;
  first_port_name: string | null;
  custom_adapters: {
    adapter_number: number;
    port_name?: string | undefined;
    adapter_type?: string | undefined;
    mac_address?: string | undefined;
  }[];
}

/** A node as kinds and engines see it. */
export interface KindNode extends PortNaming {
  project_id: string;
  name: string;
  status: 'stopped' | 'started' | 'suspended';
  console: number | null;
  console_type: string | null;
  command_line: string;
  node_directory: string | null;
  properties: Properties;
  ports: Port[];
  /** Ports that have a link or a NIO, for a kind that serves no other; absent: any may. */
  linked?: readonly Pick<Port, 'adapter_number' | 'port_number'>[];
  /** Process of its run as the record has it, for `adopt`. */
  pid?: number | null;
  pid_started?: string | null;
  /** Where it runs; absent: on this server. */
  compute_id?: string;
  /** Position of the event that asks for what is done to it; absent: none does. */
  asked?: number;
}
