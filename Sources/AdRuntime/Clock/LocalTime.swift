package import AdCore
import LibC

/// The time zone of the device.
package enum LocalTime {
    /// The minutes from local time to UTC at a time, with daylight saving: -180 for UTC+3.
    @Sendable
    package static func minutesBehindUTC(at time: WallTime) -> Int {
        var seconds = time_t(time.milliseconds / 1000)
        var local = tm()
        // The zone may have changed since the last call.
        tzset()
        guard localtime_r(&seconds, &local) != nil else { return 0 }
        return -Int(local.tm_gmtoff) / 60
    }
}
