import type { Command, CommandContext } from '../../host/shell/command.ts';
import type { Router } from '../router.ts';

export type RouterContext = CommandContext<Router>;
export type RouterCommand = Command<Router>;
