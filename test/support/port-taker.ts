import { freePorts, type PortBlock, reserveBlock } from '../../src/emulators/shared/host/free-ports.ts';

// Takes as many ports as its argument says and holds them, and reserves the blocks that it is told.
process.on('message', (block: PortBlock) => void reserveBlock(block).then((done) => process.send?.(done)));
process.send?.(await freePorts.take(Number(process.argv[2])));
