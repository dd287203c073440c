'use strict';
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const byId = (id) => document.getElementById(id);

  // Differences in Rice codes of blocks of 64, base64 (vr/export/packed.h).
  function unpacked(text, count) {
    const bytes = atob(text);
    const series = new Int32Array(count);
    let at = 0, left = 0, byte = 0, before = 0;
    function bit() {
      if (left === 0) { byte = bytes.charCodeAt(at++); left = 8; }
      return (byte >> --left) & 1;
    }
    function bits(n) {
      let value = 0;
      for (let i = 0; i < n; ++i) value = ((value << 1) | bit()) >>> 0;
      return value;
    }
    for (let from = 0; from < count; from += 64) {
      const k = bits(5);
      for (let i = from; i < Math.min(from + 64, count); ++i) {
        let ones = 0;
        while (ones < 24 && bit() === 1) ++ones;
        const value = ones === 24 ? bits(32) : ((ones << k) | bits(k)) >>> 0;
        before = (before + ((value >>> 1) ^ -(value & 1))) | 0;
        series[i] = before;
      }
    }
    return series;
  }

  const frames = data.frames, unit = data.unit_m;
  const times = Array.from(unpacked(data.times, frames), (units) => units * data.time_unit_s);
  const duration = Math.max(data.recording.duration_s, frames > 0 ? times[frames - 1] : 0, 1e-3);
  const kWrist = 1;
  const hands = data.hands.map((hand) => ({
    side: hand.side, radius: hand.radius_m, present: hand.present,
    joints: hand.joints.map((text) => unpacked(text, frames)),
    boxes: hand.boxes.map((box) => ({
      state: unpacked(box.state, frames), joints: box.joints, roll: box.roll && unpacked(box.roll, frames),
      whole: box.whole && box.whole.map((text) => unpacked(text, frames)),
    })),
  }));
  const objects = data.objects.map((object) => {
    const count = object.moves ? frames : Math.min(1, frames);
    return Object.assign({}, object, { pose: object.pose.map((text) => unpacked(text, count)), state: object.state && unpacked(object.state, frames) });
  });
  const counts = unpacked(data.contacts.counts, frames);
  const firstContact = new Int32Array(frames + 1);
  for (let i = 0; i < frames; ++i) firstContact[i + 1] = firstContact[i] + counts[i];
  const contacts = {};
  for (const key of ['bones', 'objects', 'x', 'y', 'z']) contacts[key] = unpacked(data.contacts[key], data.contacts.total);

  const isPresent = (hand, frame) => hand.present.some((run) => frame >= run[0] && frame < run[1]);
  function joint(hand, number, frame) {
    const at = [0, 1, 2].map((axis) => hand.joints[3 * number + axis][frame]);
    if (number !== kWrist) for (let axis = 0; axis < 3; ++axis) at[axis] += hand.joints[3 * kWrist + axis][frame];
    return at.map((value) => value * unit);
  }
  // The box of a bone: center and half in metres, axes as three columns; vr/export/digest.cpp writes what it is made of.
  const kAbsent = 0, kIdle = 1, kFalsePositive = 2, kTouching = 3;
  const scaled = (v, by) => v.map((value) => value * by);
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  function box(hand, bone, frame) {
    const track = hand.boxes[bone];
    if (track.whole) {
      const [x, y, z, a, b, c, d, hx, hy, hz] = track.whole.map((series) => series[frame]);
      const n = Math.hypot(a, b, c, d) || 1, [i, j, k, w] = [a / n, b / n, c / n, d / n];
      return {
        center: scaled([x, y, z], unit), half: scaled([hx, hy, hz], unit),
        axes: [[1 - 2 * (j * j + k * k), 2 * (i * j + k * w), 2 * (i * k - j * w)], [2 * (i * j - k * w), 1 - 2 * (i * i + k * k), 2 * (j * k + i * w)], [2 * (i * k + j * w), 2 * (j * k - i * w), 1 - 2 * (i * i + j * j)]],
      };
    }
    const [from, to] = track.joints, a = joint(hand, from, frame), b = joint(hand, to, frame);
    const line = a.map((value, axis) => Math.round((b[axis] - value) / unit)), length = unit * Math.hypot(...line);
    let along = [1, 0, 0], side = [0, 1, 0], up = [0, 0, 1];
    if (length > 0) {
      along = scaled(line, unit / length);
      const across = line.reduce((least, value, axis) => Math.abs(value) < Math.abs(line[least]) ? axis : least, 0);
      const zero = cross([0, 1, 2].map((axis) => axis === across ? 1 : 0), along), size = Math.hypot(...zero);
      const first = scaled(zero, 1 / size), second = cross(along, first), roll = track.roll[frame] * data.roll_unit_rad;
      side = first.map((value, axis) => value * Math.cos(roll) + second[axis] * Math.sin(roll));
      up = cross(along, side);
    }
    const ra = hand.radius[from], rb = hand.radius[to], low = Math.min(-ra, length - rb), high = Math.max(ra, length + rb);
    return { center: a.map((value, axis) => value + along[axis] * 0.5 * (low + high)), half: [0.5 * (high - low), Math.max(ra, rb), Math.max(ra, rb)], axes: [along, side, up] };
  }
  function frameAt(time) {
    let low = 0, high = frames - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= time + 0.5 * data.time_unit_s) low = middle; else high = middle - 1;
    }
    return Math.max(low, 0);
  }

  // Words.
  const text = (tag, words, parent) => {
    const element = document.createElement(tag);
    element.textContent = words;
    if (parent) parent.appendChild(element);
    return element;
  };
  const s = (value) => value.toFixed(3) + ' s';
  const mm = (value) => (1e3 * value).toFixed(1) + ' mm';
  const us = (value) => value < 1000 ? value.toFixed(value < 10 ? 1 : 0) + ' \u00b5s' : (1e-3 * value).toFixed(1) + ' ms';
  const name = data.recording.path.replace(/^.*[\\/]/, '');
  const two = data.recording.hands.length > 1;
  const who = (touch) => (two ? touch.hand + ' ' : '') + (touch.finger || touch.part) + ' on ' + touch.object;
  document.title = name + ' in ' + data.scene + ' \u2013 Glovebox';
  byId('title').textContent = name + ' in ' + data.scene;
  byId('summary').textContent = data.recording.hands.join(' and ') + ' hand, ' + duration.toFixed(1) + ' s, ' +
    data.recording.frames + ' samples at ' + data.recording.rate_hz.toFixed(0) + ' Hz, ' + data.touches.length + ' touches' +
    (data.placement ? '; ' + data.placement : '');

  // Lanes: one for each hand, finger and object that meet.
  const kColors = ['#0072B2', '#E69F00', '#D55E00', '#56B4E9', '#8C6BB1', '#CC79A7', '#009E73', '#B8B000'];
  const objectNumber = (named) => Math.max(0, objects.findIndex((object) => object.name === named));
  const lanes = [];
  data.touches.forEach((touch, number) => {
    touch.number = number;
    let lane = lanes.find((each) => each.hand === touch.hand && each.finger === touch.finger && each.object === touch.object);
    if (!lane) lanes.push(lane = { hand: touch.hand, finger: touch.finger, object: touch.object, touches: [] });
    lane.touches.push(touch);
  });
  const order = ['thumb', 'index', 'middle', 'ring', 'little', 'palm'];
  lanes.sort((a, b) => a.hand.localeCompare(b.hand) || a.object.localeCompare(b.object) || order.indexOf(a.finger) - order.indexOf(b.finger));
  const svgNs = 'http://www.w3.org/2000/svg';
  const kWidth = Math.max(340, Math.min(900, byId('lanes').clientWidth || 900));
  const kLabel = kWidth < 620 ? 128 : 190, kPlot = kWidth - kLabel - 20, kLane = 24, kLetters = Math.floor((kLabel - 10) / 6.5);
  const x = (time) => kLabel + kPlot * Math.min(1, Math.max(0, time / duration));
  function drawn(tag, attributes, parent) {
    const element = document.createElementNS(svgNs, tag);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    parent.appendChild(element);
    return element;
  }
  const foot = 8 + kLane * Math.max(1, lanes.length);
  const svg = drawn('svg', { viewBox: '0 0 ' + kWidth + ' ' + (foot + 34), role: 'group', 'aria-label': 'Touch lanes; the table below says the same' }, byId('lanes'));
  for (const gap of data.gaps) drawn('rect', { class: 'gap', x: x(gap.begin_s), y: 8, width: Math.max(1, x(gap.end_s) - x(gap.begin_s)), height: foot - 8 }, svg);
  lanes.forEach((lane, row) => {
    for (const lost of data.lost[lane.hand] || []) drawn('rect', { class: 'gap', x: x(lost.begin_s), y: 8 + kLane * row, width: Math.max(1, x(lost.end_s) - x(lost.begin_s)), height: kLane }, svg);
  });
  const rough = duration / (kWidth < 620 ? 3 : 6), power = Math.pow(10, Math.floor(Math.log10(rough)));
  const tick = [1, 2, 5, 10].map((f) => f * power).find((step) => rough <= step);
  for (let t = 0; t <= duration * 1.0001; t += tick) {
    drawn('line', { class: 'rule', x1: x(t), x2: x(t), y1: 8, y2: foot + 4 }, svg);
    const label = drawn('text', { class: 'tick', x: x(t), y: foot + 18, 'text-anchor': 'middle' }, svg);
    label.textContent = +t.toPrecision(4) + ' s';
  }
  if (lanes.length === 0) drawn('text', { x: kLabel + 8, y: 24 }, svg).textContent = 'nothing is touched';
  lanes.forEach((lane, row) => {
    const y = 8 + kLane * row;
    drawn('line', { class: 'rule', x1: kLabel, x2: kLabel + kPlot, y1: y + kLane, y2: y + kLane }, svg);
    const label = drawn('text', { x: kLabel - 10, y: y + 16, 'text-anchor': 'end' }, svg);
    const words = who(lane);
    label.textContent = words.length > kLetters ? words.slice(0, kLetters - 1) + '\u2026' : words;
    for (const touch of lane.touches) {
      touch.bar = drawn('rect', { class: 'touch', x: x(touch.begin_s), y: y + 4, width: Math.max(2, x(touch.end_s) - x(touch.begin_s)), height: kLane - 8, fill: kColors[objectNumber(touch.object) % kColors.length], 'data-touch': touch.number }, svg);
      drawn('title', {}, touch.bar).textContent = who(touch) + ', ' + s(touch.begin_s) + ' to ' + s(touch.end_s) + ', deepest ' + mm(touch.deepest_m);
      touch.bar.addEventListener('click', () => seek(touch.begin_s));
    }
  });
  const cursor = drawn('line', { class: 'cursor', x1: kLabel, x2: kLabel, y1: 4, y2: foot + 4 }, svg);
  svg.addEventListener('click', (event) => {
    const box = svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) * kWidth / box.width - kLabel) / kPlot;
    if (at >= 0 && at <= 1 && !event.target.classList.contains('touch')) seek(at * duration);
  });
  byId('lane-note').textContent = 'Grey: not tracked. ' + (data.stride > 1 ? 'The picture shows every ' + data.stride + '. sample; lanes and tables have all of them.' : 'The picture shows every sample.');
  if (data.why) { byId('why').hidden = false; byId('why').textContent = data.why; }

  const row = (table, cells) => {
    const line = document.createElement('tr');
    for (const cell of cells) line.appendChild(cell instanceof Node ? cell : text('td', cell));
    byId(table).tBodies[0].appendChild(line);
    return line;
  };
  const kMaxRows = 5000;
  for (const touch of data.touches.slice(0, kMaxRows)) {
    const cell = document.createElement('td');
    const button = text('button', s(touch.begin_s), cell);
    button.type = 'button';
    button.setAttribute('aria-label', 'Go to ' + s(touch.begin_s) + ', ' + who(touch));
    button.addEventListener('click', () => seek(touch.begin_s));
    touch.row = row('touches', [cell, s(touch.end_s), s(touch.duration_s), touch.hand, touch.finger, touch.object, mm(touch.deepest_m), touch.mean_speed_m_s.toFixed(3) + ' m/s', { left: 'moved away', lost: 'tracking lost', open: 'recording ended' }[touch.ended]]);
  }
  for (const sum of data.totals) row('sums', [sum.hand, sum.part, sum.object, String(sum.count), s(sum.total_s), s(sum.longest_s), mm(sum.deepest_m)]);
  const total = data.stages_us.total;
  byId('costs').textContent = 'A frame took ' + us(total.p50) + ' at the median, ' + us(total.p99) + ' or less in 99 of 100, ' + us(total.max) + ' at most, on ' + data.machine.cpu + '.';
  for (const stage in data.stages_us) {
    const cost = data.stages_us[stage];
    if (cost.count > 0) row('stages', [stage, us(cost.p50), us(cost.p99), us(cost.p999), us(cost.max)]);
  }
  for (const [label, limit] of [['1 ms', 1000], ['1/120 s', 1e6 / 120], ['1/90 s', 1e6 / 90], ['1/72 s', 1e6 / 72], ['1/30 s', 1e6 / 30]])
    row('deadlines', [label, us(total.p999), (100 * total.p999 / limit).toFixed(2) + ' %']);
  byId('doctor').textContent = data.doctor;
  for (const [key, value] of [['command', data.command], ['recording', data.recording.path + ' (' + data.recording.format + ')'], ['scene', data.scene], ['refit method', data.method], ['state hash', data.state_hash], ['version', data.version], ['machine', data.machine.cpu + ', ' + data.machine.os]].concat(data.recording.notes.map((note) => ['note', note]))) {
    text('dt', key, byId('made'));
    text('dd', value, byId('made'));
  }

  // The picture.
  let view = null;
  try { view = makeView(); } catch (error) {
    byId('view').hidden = true;
    byId('view').style.display = 'none';
    byId('no-view').hidden = false;
  }

  function makeView() {
    const canvas = byId('view');
    const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    const scene = new THREE.Scene();
    const camera = new THREE.PerspectiveCamera(30, 1.5, 0.01, 60);
    const hemi = new THREE.HemisphereLight(0xffffff, 0x777d86, 0.62);
    const sun = new THREE.DirectionalLight(0xffffff, 0.42);
    scene.add(hemi, sun, sun.target);
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const paint = () => { hemi.intensity = dark.matches ? 0.4 : 0.62; sun.intensity = dark.matches ? 0.28 : 0.42; scene.background = new THREE.Color(dark.matches ? 0x1b2128 : 0xf3f5f7); draw(); };

    const group = new THREE.Group();
    scene.add(group);
    for (const object of objects) {
      let geometry;
      if (object.mesh) {
        const n = object.mesh.vertices;
        const axes = ['x', 'y', 'z'].map((axis) => unpacked(object.mesh[axis], n));
        const positions = new Float32Array(3 * n);
        for (let i = 0; i < n; ++i) for (let axis = 0; axis < 3; ++axis) positions[3 * i + axis] = axes[axis][i] * unit;
        geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
        geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(unpacked(object.mesh.corners, 3 * object.mesh.triangles)), 1));
        geometry.computeVertexNormals();
      } else {
        geometry = new THREE.BoxBufferGeometry(2 * object.box.half_m[0], 2 * object.box.half_m[1], 2 * object.box.half_m[2]);
        const turn = new THREE.Matrix4().makeRotationFromQuaternion(new THREE.Quaternion().fromArray(object.box.turn));
        geometry.applyMatrix(turn.setPosition(new THREE.Vector3().fromArray(object.box.center_m)));
      }
      const material = new THREE.MeshLambertMaterial({ color: new THREE.Color().fromArray(object.color), side: THREE.DoubleSide });
      object.drawn = new THREE.Mesh(geometry, material);
      group.add(object.drawn);
    }

    // Hands: a ball at each joint, a cone between two that belong together.
    const chains = [[1, 2, 3, 4, 5], [1, 6, 7, 8, 9, 10], [1, 11, 12, 13, 14, 15], [1, 16, 17, 18, 19, 20], [1, 21, 22, 23, 24, 25], [7, 12, 17, 22], [6, 11, 16, 21], [2, 6], [3, 7]];
    const ball = new THREE.SphereBufferGeometry(1, 20, 14);
    for (const hand of hands) {
      const material = new THREE.MeshLambertMaterial({ color: hand.side === 'left' ? 0xc9b7d0 : 0xdfc0a8 });
      hand.material = material;
      hand.group = new THREE.Group();
      hand.balls = hand.radius.map((radius, number) => {
        const mesh = new THREE.Mesh(ball, material);
        mesh.scale.setScalar(number === 0 ? 1e-4 : radius);
        hand.group.add(mesh);
        return mesh;
      });
      hand.cones = [];
      for (const chain of chains)
        for (let i = 1; i < chain.length; ++i) {
          const [a, b] = [chain[i - 1], chain[i]];
          const mesh = new THREE.Mesh(new THREE.CylinderBufferGeometry(0.98 * hand.radius[b], 0.98 * hand.radius[a], 1, 16, 1, true), material);
          hand.group.add(mesh);
          hand.cones.push({ a, b, mesh });
        }
      scene.add(hand.group);
    }
    // Boxes: a cube's edges, turned and stretched; the colour says what the box does.
    const edges = new THREE.EdgesGeometry(new THREE.BoxBufferGeometry(2, 2, 2));
    const boxMaterials = { [kIdle]: [0x8c96a1, 0.4], [kFalsePositive]: [0x0072b2, 0.8], [kTouching]: [0xd55e00, 1] };
    for (const key in boxMaterials) boxMaterials[key] = new THREE.LineBasicMaterial({ color: boxMaterials[key][0], transparent: true, opacity: boxMaterials[key][1] });
    const newBox = () => {
      const lines = new THREE.LineSegments(edges, boxMaterials[kIdle]);
      lines.matrixAutoUpdate = false;
      scene.add(lines);
      return lines;
    };
    for (const hand of hands) hand.boxes.forEach((each) => { each.drawn = newBox(); });
    for (const object of objects) if (object.state) object.outline = newBox();
    const boxMatrix = (lines, center, axes, half) => {
      const column = axes.map((axis, k) => new THREE.Vector3().fromArray(scaled(axis, half[k])));
      lines.matrix.makeBasis(column[0], column[1], column[2]).setPosition(new THREE.Vector3().fromArray(center));
      lines.matrixWorldNeedsUpdate = true;
    };
    function showBoxes(frame) {
      for (const hand of hands)
        hand.boxes.forEach((each, bone) => {
          const now = each.state[frame];
          each.drawn.visible = state.boxes && now !== kAbsent && isPresent(hand, frame);
          if (!each.drawn.visible) return;
          each.drawn.material = boxMaterials[now];
          const at = box(hand, bone, frame);
          boxMatrix(each.drawn, at.center, at.axes, at.half);
        });
      for (const object of objects) {
        if (!object.outline) continue;
        const now = object.state[frame];
        object.outline.visible = state.boxes && now !== 0;
        if (!object.outline.visible) continue;
        object.outline.material = boxMaterials[now];
        const turn = new THREE.Matrix4().makeRotationFromQuaternion(new THREE.Quaternion().fromArray(object.box.turn));
        turn.scale(new THREE.Vector3().fromArray(object.box.half_m)).setPosition(new THREE.Vector3().fromArray(object.box.center_m));
        object.drawn.updateMatrix();
        object.outline.matrix.multiplyMatrices(object.drawn.matrix, turn);
        object.outline.matrixWorldNeedsUpdate = true;
      }
    }
    const kMarks = 64;
    const marks = [];
    const markMaterial = new THREE.MeshBasicMaterial({ color: 0xd55e00, depthTest: false, transparent: true, opacity: 0.9 });
    for (let i = 0; i < kMarks; ++i) {
      const mark = new THREE.Mesh(ball, markMaterial);
      mark.scale.setScalar(0.0035);
      mark.renderOrder = 2;
      scene.add(mark);
      marks.push(mark);
    }

    const start = data.camera;
    const orbit = { target: new THREE.Vector3().fromArray(start.target_m), yaw: start.yaw_rad, elevation: start.elevation_rad, distance: start.distance_m };
    function reset() {
      orbit.target.fromArray(start.target_m);
      Object.assign(orbit, { yaw: start.yaw_rad, elevation: start.elevation_rad, distance: start.distance_m });
    }
    const pointers = new Map();
    canvas.addEventListener('pointerdown', (event) => { canvas.setPointerCapture(event.pointerId); pointers.set(event.pointerId, event); });
    canvas.addEventListener('pointerup', (event) => pointers.delete(event.pointerId));
    canvas.addEventListener('pointercancel', (event) => pointers.delete(event.pointerId));
    canvas.addEventListener('pointermove', (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY, height = canvas.clientHeight;
      if (pointers.size === 2) {
        const other = [...pointers.values()].find((each) => each.pointerId !== event.pointerId);
        const apart = (a) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY);
        orbit.distance = Math.min(20, Math.max(0.05, orbit.distance * apart(before) / Math.max(1, apart(event))));
      } else if (event.shiftKey) {
        const metres = 2 * orbit.distance * Math.tan(Math.PI / 12) / height;
        const right = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0), up = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
        orbit.target.addScaledVector(right, -metres * dx).addScaledVector(up, metres * dy);
      } else {
        orbit.yaw -= 3 * dx / height;
        orbit.elevation = Math.min(1.5, Math.max(-1.2, orbit.elevation + 3 * dy / height));
      }
      pointers.set(event.pointerId, event);
      draw();
    });
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      orbit.distance = Math.min(20, Math.max(0.05, orbit.distance * Math.pow(1.0015, event.deltaY)));
      draw();
    }, { passive: false });

    const up = new THREE.Vector3(0, 1, 0), from = new THREE.Vector3(), to = new THREE.Vector3(), way = new THREE.Vector3();
    function show(frame) {
      for (const object of objects) {
        const at = object.moves ? frame : 0;
        if (object.pose[0].length === 0) continue;
        object.drawn.position.set(object.pose[0][at] * unit, object.pose[1][at] * unit, object.pose[2][at] * unit);
        object.drawn.quaternion.set(object.pose[3][at], object.pose[4][at], object.pose[5][at], object.pose[6][at]).normalize();
      }
      let middle = null;
      for (const hand of hands) {
        hand.group.visible = isPresent(hand, frame);
        if (!hand.group.visible) continue;
        const joints = hand.balls.map((mesh, number) => mesh.position.fromArray(joint(hand, number, frame)));
        for (const cone of hand.cones) {
          from.copy(joints[cone.a]); to.copy(joints[cone.b]); way.subVectors(to, from);
          const length = way.length();
          cone.mesh.visible = length > 1e-5;
          if (!cone.mesh.visible) continue;
          cone.mesh.position.copy(from).addScaledVector(way, 0.5);
          cone.mesh.scale.set(1, length, 1);
          cone.mesh.quaternion.setFromUnitVectors(up, way.multiplyScalar(1 / length));
        }
        middle = middle ? middle.add(joints[12]).multiplyScalar(0.5) : joints[12].clone();
      }
      for (let i = 0; i < kMarks; ++i) {
        const at = firstContact[frame] + i;
        marks[i].visible = at < firstContact[frame + 1];
        if (marks[i].visible) marks[i].position.set(contacts.x[at] * unit, contacts.y[at] * unit, contacts.z[at] * unit);
      }
      showBoxes(frame);
      if (state.follow && middle) orbit.target.lerp(middle, 0.15);
    }
    function draw() {
      const width = canvas.clientWidth, height = canvas.clientHeight;
      if (width === 0 || height === 0) return;
      const ratio = Math.min(2, window.devicePixelRatio || 1);
      if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        renderer.setPixelRatio(ratio);
        renderer.setSize(width, height, false);
        camera.aspect = width / height;
        camera.updateProjectionMatrix();
      }
      // A view that is narrower than the one the camera was placed for, as on a phone, is seen from further away.
      const narrow = Math.min(2.5, Math.max(1, 1.5 * height / width));
      camera.position.set(Math.cos(orbit.elevation) * Math.sin(orbit.yaw), Math.sin(orbit.elevation), Math.cos(orbit.elevation) * Math.cos(orbit.yaw)).multiplyScalar(orbit.distance * narrow).add(orbit.target);
      camera.lookAt(orbit.target);
      sun.position.copy(camera.position).add(new THREE.Vector3(-0.3, 1.2, 0.2));
      sun.target.position.copy(orbit.target);
      renderer.render(scene, camera);
    }
    reset();
    if (dark.addEventListener) dark.addEventListener('change', paint);
    return { show, draw, reset, paint, orbit };
  }

  // Time.
  const state = { time: 0, frame: 0, playing: false, speed: 1, follow: false, boxes: true };
  const slider = byId('time');
  slider.max = duration;
  function render() {
    state.frame = frameAt(state.time);
    slider.value = state.time;
    slider.setAttribute('aria-valuetext', s(state.time));
    byId('clock').textContent = s(state.time);
    cursor.setAttribute('x1', x(state.time));
    cursor.setAttribute('x2', x(state.time));
    const on = [];
    for (const touch of data.touches) {
      const now = state.time >= touch.begin_s - 0.5 * data.time_unit_s && state.time < touch.end_s;
      if (now) on.push(who(touch));
      if (now === touch.now) continue;
      touch.now = now;
      touch.bar.classList.toggle('on', now);
      if (touch.row) touch.row.classList.toggle('on', now);
    }
    const gap = data.gaps.some((each) => state.time > each.begin_s && state.time < each.end_s);
    // A screen reader is told when it stands still, not sixty times a second.
    byId('now').setAttribute('aria-live', state.playing ? 'off' : 'polite');
    const words = on.join(', ') + (gap ? (on.length ? '; ' : '') + 'no samples here' : '');
    if (byId('now').textContent !== words) byId('now').textContent = words;
    if (view && frames > 0) { view.show(state.frame); view.draw(); }
  }
  function seek(time) { state.time = Math.min(duration, Math.max(0, time)); render(); }
  function play(on) {
    state.playing = on;
    byId('play').textContent = on ? 'Pause' : 'Play';
    byId('play').setAttribute('aria-pressed', String(on));
    if (on && state.time >= duration) state.time = 0;
    last = 0;
    if (on) requestAnimationFrame(tickOn);
    render();
  }
  let last = 0;
  function tickOn(now) {
    if (!state.playing) return;
    if (last > 0) state.time += state.speed * Math.min(0.1, 1e-3 * (now - last));
    last = now;
    if (state.time >= duration) { state.time = duration; play(false); return; }
    render();
    requestAnimationFrame(tickOn);
  }
  const step = (by) => { play(false); if (frames > 0) seek(times[Math.min(frames - 1, Math.max(0, state.frame + by))]); };
  const jump = (by) => {
    const begins = [...new Set(data.touches.map((touch) => touch.begin_s))];
    const next = by > 0 ? begins.find((begin) => begin > state.time + 1e-6) : begins.reverse().find((begin) => begin < state.time - 1e-6);
    if (next !== undefined) seek(next);
  };
  const choose = (by) => {
    const speeds = byId('speed');
    speeds.selectedIndex = Math.min(speeds.options.length - 1, Math.max(0, speeds.selectedIndex + by));
    state.speed = +speeds.value;
  };
  const follow = () => { state.follow = !state.follow; byId('follow').setAttribute('aria-pressed', String(state.follow)); render(); };
  const boxes = () => { state.boxes = !state.boxes; byId('boxes').setAttribute('aria-pressed', String(state.boxes)); render(); };
  const showAll = () => { if (state.follow) follow(); if (view) view.reset(); render(); };
  byId('play').addEventListener('click', () => play(!state.playing));
  byId('back').addEventListener('click', () => step(-1));
  byId('on').addEventListener('click', () => step(1));
  byId('follow').addEventListener('click', follow);
  byId('boxes').addEventListener('click', boxes);
  byId('reset').addEventListener('click', showAll);
  byId('speed').addEventListener('change', () => { state.speed = +byId('speed').value; });
  slider.addEventListener('input', () => seek(+slider.value));
  document.addEventListener('keydown', (event) => {
    const tag = event.target.tagName;
    if (event.ctrlKey || event.metaKey || event.altKey || tag === 'SELECT') return;
    const onButton = tag === 'BUTTON' || tag === 'SUMMARY';
    const keys = {
      ' ': () => play(!state.playing), ArrowLeft: () => event.shiftKey ? seek(state.time - 1) : step(-1), ArrowRight: () => event.shiftKey ? seek(state.time + 1) : step(1),
      Home: () => seek(0), End: () => seek(duration), n: () => jump(1), p: () => jump(-1), f: follow, r: showAll, b: boxes, ',': () => choose(-1), '.': () => choose(1),
    };
    const act = keys[event.key] || keys[event.key.toLowerCase()];
    if (!act || (onButton && event.key === ' ')) return;
    event.preventDefault();
    act();
  });
  window.addEventListener('resize', render);
  const asked = /[#&]t=([0-9.]+)/.exec(location.hash);
  if (view) view.paint();
  seek(asked ? +asked[1] : (data.touches.length > 0 ? data.touches[0].begin_s : 0));
  window.glovebox = { data, state, seek, play, joint, box, hands, times, frames, frameAt, view };
}());
