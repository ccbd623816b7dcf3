import { ADAPTERS, AUX, type Texts, USAGE } from '../kit/texts.ts';

export const texts: Texts = {
  image: { title: 'Image', help: 'Image that the container is made of, such as alpine:3.', widget: 'image' },
  container_id: { title: 'Container', help: 'Id of the container that was made for it.', widget: 'none' },
  container_name: {
    title: 'Container name',
    help: 'As the container service is to call it, if the name is free.',
    group: 'Advanced',
  },
  adapters: ADAPTERS,
  aux: AUX,
  console_http_path: {
    title: 'Web console path',
    help: 'Path of a console that is a web page.',
    group: 'Console',
  },
  console_http_port: {
    title: 'Web console port',
    help: 'Port inside the container that its web console listens on.',
    group: 'Console',
  },
  console_resolution: {
    title: 'Screen size',
    help: 'Of a graphical console, such as 1024x768.',
    unit: 'px',
    group: 'Console',
  },
  environment: {
    title: 'Environment variables',
    help: 'What its programs find in their environment.',
    widget: 'pairs',
    separator: '=',
  },
  extra_hosts: {
    title: 'Further hosts',
    help: 'Names that the container knows, with their addresses.',
    widget: 'pairs',
    separator: ':',
    group: 'Network',
  },
  extra_volumes: {
    title: 'Kept directories',
    help: 'Directories of the image that are kept with the node, one a line.',
    group: 'Storage',
  },
  mac_address: {
    title: 'MAC address',
    help: 'Of its first adapter; the others count up from it.',
    group: 'Network',
  },
  start_command: { title: 'Start command', help: 'Empty: what the image starts.' },
  entrypoint: { title: 'Entry point', help: 'What begins the start command. Empty: that of the image.' },
  user: { title: 'User', help: 'Who runs its programs. Empty: the one of the image.' },
  commands: {
    title: 'Commands after the start',
    help: 'Run in the container after each start, one a line.',
  },
  files: { title: 'Files', help: 'Copied into the container before each start.', group: 'Storage' },
  config_files: {
    title: 'Configuration files',
    help: 'What is collected of it. Empty: its files, and that of FRR.',
    group: 'Storage',
  },
  interfaces: { title: 'Interfaces', help: 'Names and first addresses of its adapters.', group: 'Network' },
  published: {
    title: 'Published ports',
    help: 'Where its services are reached from outside of the lab.',
    group: 'Network',
  },
  sysctls: {
    title: 'Network settings of the kernel',
    help: 'Such as net.ipv4.ip_forward.',
    group: 'Network',
  },
  capabilities: {
    title: 'Capabilities',
    help: 'Further ones that its programs have, such as SYS_ADMIN.',
    group: 'Advanced',
  },
  network_system: {
    title: 'Network system',
    help: 'It has the privileges that FRR and other network systems are published with, and reaches the machine itself.',
    group: 'Advanced',
  },
  usage: USAGE,
};
