const slabBytes = 1024 * 1024;

/** Memory for many small arrays in few buffers: each buffer costs time when it is allocated and when garbage is collected. */
export class ByteSlabs {
  private slab = Buffer.alloc(0);
  private end = 0;

  /** An array of this many bytes, which may have any values. */
  take(length: number): Buffer {
    if (this.end + length > this.slab.length) {
      this.slab = Buffer.allocUnsafeSlow(Math.max(slabBytes, length));
      this.end = 0;
    }
    const taken = this.slab.subarray(this.end, this.end + length);
    this.end += length;
    return taken;
  }
}
