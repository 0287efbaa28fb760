// SPDX-License-Identifier: GPL-2.0-only
/*
 * Perfetto's own trace processor, as its UI runs it, on an export of ours: is all of
 * it imported, and who stole the time of the late cycle?  By time alone: what lay
 * innermost on the CPU's tracks while that cycle's thread waited for the CPU.
 *
 * usage: perfetto.mjs DIRECTORY FILE [--thief TEXT] [--least US]
 *
 * DIRECTORY holds the processor, see perfetto-get.  Prints one line; exit status 1 if
 * the processor complains, imports less than there is, or the thief is another.
 */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import vm from 'node:vm';

/* ---- protocol buffers, as much as the processor's pipe needs ---- */

const APPEND = 1, FINALIZE = 2, QUERY = 3;	/* TraceProcessorRpc.request */
const CHUNK = 8 << 20;		/* one message has an upper limit */

function varint(n) {
	const out = [];

	for (n = BigInt(n); n > 0x7fn; n >>= 7n)
		out.push(Number(n & 0x7fn) | 0x80);
	return Buffer.from([...out, Number(n)]);
}

const number = (field, n) => Buffer.concat([varint(field << 3), varint(n)]);

function bytes(field, data) {
	data = Buffer.from(data);
	return Buffer.concat([varint(field << 3 | 2), varint(data.length), data]);
}

function readVarint(buf, at) {
	let n = 0n;

	for (let shift = 0n; ; shift += 7n) {
		const b = buf[at.i++];

		if (b === undefined || shift > 63n)
			throw new Error('a number without an end');
		n |= BigInt(b & 0x7f) << shift;
		if (!(b & 0x80))
			return BigInt.asIntN(64, n);
	}
}

/* [field, bytes or BigInt] of a message */
function* fields(buf) {
	const at = {i: 0};

	while (at.i < buf.length) {
		const tag = Number(readVarint(buf, at)), wire = tag & 7;
		let v;

		if (wire === 0) {
			v = readVarint(buf, at);
		} else {
			const n = wire === 2 ? Number(readVarint(buf, at)) : wire === 1 ? 8 : 4;

			v = buf.subarray(at.i, at.i += n);
		}
		yield [tag >> 3, v];
	}
}

function packed(buf, list) {
	for (const at = {i: 0}; at.i < buf.length;)
		list.push(readVarint(buf, at));
}

/* rows of a result, which comes in batches of cells: their kinds, then each kind's values */
class Result {
	columns = [];
	cells = [];
	error = '';

	add(buf) {
		for (const [f, v] of fields(buf)) {
			if (f === 1)
				this.columns.push(v.toString());
			else if (f === 2)
				this.error = v.toString();
			else if (f === 3)
				this.#batch(v);
		}
	}

	#batch(buf) {
		const kinds = [], ints = [], floats = [];
		let strings = [];

		for (const [f, v] of fields(buf)) {
			if (f === 1)
				packed(v, kinds);
			else if (f === 2)
				packed(v, ints);
			else if (f === 3)
				for (let i = 0; i < v.length; i += 8)
					floats.push(v.readDoubleLE(i));
			else if (f === 5)
				strings = v.toString().split('\0');
		}
		for (const kind of kinds)
			this.cells.push({1: () => null, 2: () => Number(ints.shift()),
				3: () => floats.shift(), 4: () => strings.shift()}[kind]());
	}

	rows() {
		const rows = [];

		for (let i = 0; i < this.cells.length; i += this.columns.length)
			rows.push(Object.fromEntries(this.columns.map((c, k) => [c, this.cells[i + k]])));
		return rows;
	}
}

/* ---- the processor ---- */

class Processor {
	#port;
	#bytes;		/* what it takes for bytes is of its own world */
	#replies = Buffer.alloc(0);
	#seq = 0;

	/* the worker of the UI, which it is in here: what it asks of a browser it gets */
	static async start(dir) {
		const p = new Processor();
		let ready;
		const began = new Promise((resolve) => ready = resolve);
		const say = () => {};	/* of its progress */
		const scope = vm.createContext({
			console: {log() {}, warn: say, error: say},
			XMLHttpRequest: class {
				open(how, name) { this.response = readFileSync(join(dir, name)); }
				send() {}
			},
			location: {href: 'file:///'}, WorkerGlobalScope: Object, performance, crypto,
			TextDecoder, TextEncoder, setTimeout, clearTimeout, URL,
		});

		scope.self = scope;
		watchWasm(vm.runInContext('WebAssembly', scope), ready);
		vm.runInContext(readFileSync(join(dir, 'engine_bundle.node.js'), 'utf8'), scope);
		await began;
		p.#bytes = vm.runInContext('Uint8Array', scope);
		p.#port = {postMessage: (data) => p.#replies = Buffer.concat([p.#replies, data])};
		scope.onmessage({data: p.#port});
		return p;
	}

	/* its answers are there when the call returns */
	#ask(request, ...more) {
		const msg = Buffer.concat([number(1, this.#seq++), number(2, request), ...more]);
		const answers = [];

		this.#port.onmessage({data: this.#bytes.from(bytes(1, msg))});
		for (const [, msg] of fields(this.#replies))
			answers.push(new Map(fields(msg)));
		this.#replies = Buffer.alloc(0);
		for (const a of answers)
			if (a.get(5)?.length)
				throw new Error(a.get(5).toString());
		return answers;
	}

	load(data) {
		for (let i = 0; i < data.length; i += CHUNK)
			this.#good(this.#ask(APPEND, bytes(101, data.subarray(i, i + CHUNK))), 201, 2);
		this.#good(this.#ask(FINALIZE), 211, 1);
	}

	#good(answers, field, error) {
		for (const a of answers)
			for (const [f, v] of fields(a.get(field) ?? Buffer.alloc(0)))
				if (f === error && v.length)
					throw new Error(v.toString());
	}

	query(sql) {
		const r = new Result();

		for (const a of this.#ask(QUERY, bytes(103, bytes(1, sql))))
			r.add(a.get(203));
		if (r.error)
			throw new Error(r.error);
		return r.rows();
	}
}

/* says when it runs; the build for 64 bits of memory, which is not there, is no choice */
function watchWasm(wasm, ready) {
	const {Module, Instance} = wasm;

	wasm.Module = function (code) {
		/* the question for it: a module that is nothing but such a memory */
		if (code[8] === 5)
			throw new TypeError('no 64 bits of memory');
		return new Module(code);
	};
	wasm.Instance = function (module, imports) {
		const exports = {...new Instance(module, imports).exports};
		const init = exports.trace_processor_rpc_init;

		exports.trace_processor_rpc_init = (...args) => {
			ready();
			return init(...args);
		};
		return {exports};
	};
}

/* ---- what is asked of it ---- */

/* all of the file is there, as it was written: nothing dropped, cut or moved */
function imported(p, data) {
	const slices = JSON.parse(data).traceEvents.filter((e) => e.ph === 'X');
	const ns = (us) => Math.round(us * 1000);
	const key = (from, length, name) => `${from} ${length} ${name}`;
	const want = slices.map((e) => key(ns(e.ts), ns(e.dur), e.name)).sort();
	const have = p.query('SELECT ts, dur, name FROM slice').map((s) => key(s.ts, s.dur, s.name)).sort();
	const lost = want.findIndex((w, i) => w !== have[i]);

	if (lost >= 0 || want.length !== have.length)
		throw new Error(`of ${want.length} slices ${have.length} are there; first that is not: ${want[lost]}`);
	const [{loose}] = p.query(`SELECT count(*) AS loose FROM slice LEFT JOIN slice c ON c.id = slice.parent_id
		WHERE slice.category = 'phase' AND c.category IS NOT 'cycle'`);

	if (loose)
		throw new Error(`${loose} phases lie in no cycle`);
	return want.length;
}

/*
 * The longest wake phase; what there was on the CPU then; of each what nothing lay
 * on: interrupts lie on softirqs, these on tasks.
 */
const THIEF = `
	WITH late AS (
		SELECT c.name AS cycle, w.ts, w.ts + w.dur AS te,
			extract_arg(c.arg_set_id, 'args.wake_thief') AS said
		FROM slice w JOIN slice c ON c.id = w.parent_id
		WHERE w.name = 'wake' AND c.category = 'cycle'
		ORDER BY w.dur DESC LIMIT 1),
	cpu AS (
		SELECT s.id, s.name, late.cycle, late.said, max(s.ts, late.ts) AS ts, min(s.ts + s.dur, late.te) AS te,
			CASE t.name WHEN 'interrupts' THEN 200 WHEN 'softirqs' THEN 100 ELSE 0 END + s.depth AS height
		FROM late, slice s JOIN thread_track tt ON tt.id = s.track_id
			JOIN thread t USING (utid) JOIN process p USING (upid)
		WHERE p.name GLOB 'CPU *' AND t.name IN ('interrupts', 'softirqs', 'running')
			AND s.ts < late.te AND s.ts + s.dur > late.ts),
	lies_on AS (
		SELECT top.id, top.ts, top.te, bottom.id AS bottom FROM cpu top, cpu bottom
		WHERE top.height > bottom.height AND top.ts < bottom.te AND top.te > bottom.ts)
	SELECT cycle, name, said, te - ts - ifnull((
		SELECT sum(min(l.te, cpu.te) - max(l.ts, cpu.ts)) FROM lies_on l
		WHERE l.bottom = cpu.id AND NOT EXISTS (
			SELECT * FROM lies_on m JOIN lies_on between_ ON between_.id = l.id AND between_.bottom = m.id
			WHERE m.bottom = cpu.id)), 0) AS ns
	FROM cpu WHERE name NOT IN ('idle', 'kecat itself') ORDER BY ns DESC LIMIT 1`;

function find_thief(p, text, least) {
	const [found] = p.query(THIEF);

	if (!found || !found.name.includes(text) || found.ns < least * 1000)
		throw new Error(`the thief is ${JSON.stringify(found ?? 'nobody')}`);
	/* and it is the one that the export itself accuses */
	if (!found.said?.includes(found.name))
		throw new Error(`the cycle accuses '${found.said}', and on the CPU was ${found.name}`);
	return `${found.cycle.replace(' ', '=')} thief="${found.name}" us=${(found.ns / 1000).toFixed(3)} `;
}

const {values: opt, positionals: [dir, file]} = parseArgs({allowPositionals: true,
	options: {thief: {type: 'string'}, least: {type: 'string', default: '100'}}});

try {
	const p = await Processor.start(dir), data = readFileSync(file);

	p.load(data);
	const errors = p.query(`SELECT name, value FROM stats
		WHERE severity IN ('error', 'data_loss') AND value != 0`);

	if (errors.length)
		throw new Error(errors.map((e) => `${e.name}: ${e.value}`).join(', '));
	const slices = imported(p, data);
	const thief = opt.thief === undefined ? '' : find_thief(p, opt.thief, Number(opt.least));

	console.log(`perfetto: ${thief}slices=${slices} errors=0`);
} catch (e) {
	console.error(`perfetto: ${file}: ${e.message}`);
	process.exitCode = 1;
}
